import type { SystemClock } from '#lib/clock.ts';
import type { NewMessage } from '#platform/outbox/message.ts';
import type { Destination } from '#subjects/alerts/rules/recipient.ts';
import { dueWeek, wasTold } from '#subjects/alerts/rules/review/weekTime.ts';
import { weeklyMessage } from '#subjects/alerts/rules/review/weeklyMessage.ts';
import type { AlertReview } from './service.ts';
import type { ReviewStore } from './store.ts';

export type WeeklyDeps = {
  store: ReviewStore;
  clock: SystemClock;
  review: Pick<AlertReview, 'findings'>;
  /** The chats and devices of a user that messages can be delivered to. */
  chatsOf(userId: number): readonly Destination[];
  outbox: { add(messages: readonly NewMessage[]): unknown; wake(): void };
  publicUrl: string | null;
};

/** A review takes some milliseconds; the others follow at the next look. */
const MAX_A_LOOK = 10;

/**
 * Tells the review to those who want it, once a week, also when the server is killed in between: the messages and the note
 * that they were told are written together.
 */
export class WeeklyReview {
  constructor(private readonly deps: WeeklyDeps) {}

  /** To be called every so often. */
  look(): void {
    const { store, clock, outbox } = this.deps;
    const week = dueWeek(clock.now());
    if (week === null) return;
    const some = store.untold(week, MAX_A_LOOK);
    for (const { userId, toldWeek } of some) this.tell(userId, toldWeek, week);
    if (some.length > 0) outbox.wake();
  }

  private tell(userId: number, toldWeek: string | null, week: string): void {
    const { store, review, chatsOf, outbox, publicUrl } = this.deps;
    const findings = wasTold(toldWeek, week) ? [] : review.findings(userId);
    store.inTransaction(() => {
      if (findings.length > 0) {
        const message = weeklyMessage(findings, publicUrl);
        outbox.add(
          chatsOf(userId).map((place) => ({ ...place, userId, triggerId: null, mayWait: true, message })),
        );
      }
      store.setTold(userId, week);
    });
  }
}
