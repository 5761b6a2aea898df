import { type Destinations, type Destination, isNamed } from '#subjects/alerts/rules/recipient.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { hasDevices } from '#subjects/devices/rules/device.ts';
import { alertMessage, type AlertNote, shortMessage } from '../rules/alertMessage.ts';
import type { TriggerNote } from '#platform/outbox/message.ts';
import type { App } from '#platform/app.ts';
import { AlertStore } from './store.ts';

/** A message to a chat or device that does not belong to a trigger. */
export type ChatDelivery = Destination & {
  userId: number;
  triggerId: null;
  mayWait: true;
  message: ChatMessage;
};

/** Finds recipients within one transaction; looks up each user's chats and devices once. */
export class Recipients {
  private readonly known = new Map<number, readonly Destination[]>();

  /** @param placesOf returns the chats and devices that can receive a user's alerts */
  constructor(private readonly placesOf: (userId: number) => readonly Destination[]) {}

  /** @param named the destinations of an alert */
  of(userId: number, named: Readonly<Destinations>): readonly Destination[] {
    if (!named.telegram && !named.discord && !hasDevices(named.devices)) return [];
    const own = this.known.get(userId) ?? this.placesOf(userId);
    this.known.set(userId, own);
    return own.filter((place) => isNamed(place, named));
  }
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

function readNote(stored: TriggerNote): AlertNote | null {
  const { title, name, stoppedReason, label, note, isUntilOpen } = stored;
  if (typeof title !== 'string' || typeof label !== 'string') return null;
  return isTextOrNull(name) && isTextOrNull(stoppedReason) && isTextOrNull(note)
    ? { title, name, stoppedReason, label, note, isUntilOpen: isUntilOpen === true }
    : null;
}

export function createMessageMaker({ config, db, log }: App) {
  const store = new AlertStore(db);
  /**
   * @returns null if the trigger is deleted or the note is unreadable. It never throws, because other messages wait
   * behind this one
   */
  return (userId: number, triggerId: number | null, stored: TriggerNote): ChatMessage | null => {
    const note = readNote(stored);
    if (note === null || triggerId === null) return null;
    try {
      const trigger = store.trigger(userId, triggerId);
      return trigger ? alertMessage(trigger, note, config.publicUrl) : null;
    } catch (error) {
      log
        .child('alerts')
        .error('Could not write the full message of an alert', { trigger: triggerId, error });
      return shortMessage(note);
    }
  };
}
