import type { Message } from './message.ts';

/** Hears all that a channel gives to its clients, for clients elsewhere. What it throws is thrown to who sends. */
export type ChannelTap = {
  /** A message that everybody gets. @param seq the event's number; null for a ping, which has none */
  everybody(seq: number | null, message: Message): void;
  /** A message for one audience, whether it has clients here or not. */
  audience(audience: string, message: Message): void;
  /** The channel closes: its clients are told to come back shortly. */
  closing(): void;
};
