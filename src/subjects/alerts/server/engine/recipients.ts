import type { Destinations } from '../../rules/alert.ts';
import type { ChatMessage } from '../../../chats/rules/chatMessage.ts';
import type { ChatPlatform } from '../../../chats/rules/chatPlatform.ts';

/** A chat of a user that is confirmed and not broken. */
export type Destination = { platform: ChatPlatform; chatId: string };

/** A message to a chat that is of no trigger, as the outbox takes it. */
export type ChatDelivery = Destination & { userId: number; triggerId: null; message: ChatMessage };

/** The chats that the messages of one transaction go to: those of a user are looked up once. */
export class Recipients {
  private readonly known = new Map<number, readonly Destination[]>();

  /** @param chatsOf the chats that a user's alerts go to, of every platform */
  constructor(private readonly chatsOf: (userId: number) => readonly Destination[]) {}

  /** @param named the platforms that an alert names */
  of(userId: number, named: Readonly<Destinations>): readonly Destination[] {
    if (!named.telegram && !named.discord) return [];
    const own = this.known.get(userId) ?? this.chatsOf(userId);
    this.known.set(userId, own);
    return own.filter(({ platform }) => named[platform]);
  }
}
