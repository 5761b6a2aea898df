import { alertMessage, type AlertNote, shortMessage } from '../rules/alertMessage.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { Log } from '#lib/log.ts';
import type { AlertStore } from './store.ts';

export type MessageMakerDeps = {
  store: Pick<AlertStore, 'trigger'>;
  /** The server's public address, without a slash at its end; null when it has none. */
  publicUrl: string | null;
  log: Log;
};

/** Makes the messages of triggers of what was noted of them, when they are sent. */
export const createMessageMaker =
  ({ store, publicUrl, log }: MessageMakerDeps) =>
  /** @returns null when the user has no such trigger any more. It never throws: other messages wait behind this one. */
  (userId: number, triggerId: number, note: AlertNote): ChatMessage | null => {
    try {
      const trigger = store.trigger(userId, triggerId);
      return trigger ? alertMessage(trigger, note, publicUrl) : null;
    } catch (error) {
      log.error('The message of an alert could not be written in full', { trigger: triggerId, error });
      return shortMessage(note);
    }
  };
