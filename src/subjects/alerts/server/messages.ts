import { alertMessage, type AlertNote, shortMessage } from '../rules/alertMessage.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { TriggerNote } from '#platform/outbox/message.ts';
import type { App } from '#platform/app.ts';
import { AlertStore } from './store.ts';

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

function readNote(stored: TriggerNote): AlertNote | null {
  // Older versions wrote neither `note` nor `isUntilOpen`.
  const { title, name, stoppedReason, label, note = null, isUntilOpen } = stored;
  if (typeof title !== 'string' || typeof label !== 'string') return null;
  return isTextOrNull(name) && isTextOrNull(stoppedReason) && isTextOrNull(note)
    ? { title, name, stoppedReason, label, note, isUntilOpen: isUntilOpen === true }
    : null;
}

/** Makes the messages of triggers of what was noted of them, when they are sent. */
export function createMessageMaker({ config, db, log }: App) {
  const store = new AlertStore(db);
  /** @returns null when the user has no such trigger any more, or the note can't be read. It never throws: other messages wait behind this one. */
  return (userId: number, triggerId: number, stored: TriggerNote): ChatMessage | null => {
    const note = readNote(stored);
    if (note === null) return null;
    try {
      const trigger = store.trigger(userId, triggerId);
      return trigger ? alertMessage(trigger, note, config.publicUrl) : null;
    } catch (error) {
      log
        .child('alerts')
        .error('The message of an alert could not be written in full', { trigger: triggerId, error });
      return shortMessage(note);
    }
  };
}
