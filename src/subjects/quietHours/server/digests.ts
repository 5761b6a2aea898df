import type { SystemClock } from '#lib/clock.ts';
import type { OutboxService } from '#platform/outbox/index.ts';
import type { MessagePlatform } from '#subjects/chats/rules/chatPlatform.ts';
import { digestMessage } from '../rules/digest.ts';
import { isDigestDue } from '../rules/quietHours.ts';
import type { QuietHoursOf } from './service.ts';

type Place = { platform: MessagePlatform; chatId: string };

export type DigestsDeps = {
  quietHours: QuietHoursOf;
  outbox: Pick<OutboxService, 'held' | 'wake'>;
  clock: SystemClock;
  /** The chats and devices of a user that messages can be delivered to. */
  placesOf(userId: number): readonly Place[];
  publicUrl: string | null;
};

/** A digest takes some milliseconds; the others follow at the next look. */
const MAX_A_LOOK = 50;

/** Tells what waited, once it is time for that. To be called every so often. */
export function sendDigests({ quietHours, outbox, clock, placesOf, publicUrl }: DigestsDeps): void {
  if (quietHours.waitingUsers().length === 0) return;
  const now = clock.now();
  const held = new Map(outbox.held.users().map(({ userId, oldest }) => [userId, oldest]));
  // Nothing was written for them in the end.
  for (const userId of quietHours.waitingUsers()) if (!held.has(userId)) quietHours.released(userId);
  const due = [...held].filter(([userId, oldest]) => isDigestDue(quietHours.of(userId), oldest, now));
  for (const [userId] of due.slice(0, MAX_A_LOOK)) {
    const places = placesOf(userId);
    outbox.held.release(
      userId,
      now,
      (first, more) => digestMessage(first, more, now, publicUrl),
      (place) => places.some((one) => one.platform === place.platform && one.chatId === place.chatId),
    );
    quietHours.released(userId);
  }
  if (due.length > 0) outbox.wake();
}
