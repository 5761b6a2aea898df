import type { Destinations } from '#subjects/alerts/rules/recipient.ts';
import { type Destination, isNamed } from '#subjects/alerts/rules/recipient.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { hasDevices } from '#subjects/devices/rules/device.ts';

/** A message to a chat or a device that is of no trigger, as the outbox takes it. */
export type ChatDelivery = Destination & {
  userId: number;
  triggerId: null;
  mayWait: true;
  message: ChatMessage;
};

/** Where the messages of one transaction go: the chats and devices of a user are looked up once. */
export class Recipients {
  private readonly known = new Map<number, readonly Destination[]>();

  /** @param placesOf the chats and devices that a user's alerts can go to */
  constructor(private readonly placesOf: (userId: number) => readonly Destination[]) {}

  /** @param named where an alert is sent */
  of(userId: number, named: Readonly<Destinations>): readonly Destination[] {
    if (!named.telegram && !named.discord && !hasDevices(named.devices)) return [];
    const own = this.known.get(userId) ?? this.placesOf(userId);
    this.known.set(userId, own);
    return own.filter((place) => isNamed(place, named));
  }
}
