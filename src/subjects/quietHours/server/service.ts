import { and, count, eq, isNotNull } from 'drizzle-orm';
import { outbox, quietHours } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { type QuietHours, checkQuietHours, holdsAt, NO_QUIET_HOURS } from '../rules/quietHours.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { SystemClock } from '#lib/clock.ts';
import { accepted } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { quietHoursAnswer } from '../answers/quietHours.ts';
import { Tally, type TransferKind } from '#subjects/transfer/rules/kind.ts';

/** SQL of quiet hours. */
export const quietHoursStore = (db: Db) => ({
  /** Of all who have some. */
  all: () => db.select().from(quietHours).all(),
  save(userId: number, hours: QuietHours): void {
    db.insert(quietHours)
      .values({ userId, ...hours })
      .onConflictDoUpdate({ target: quietHours.userId, set: hours })
      .run();
  },
  /** Those for whom messages wait. */
  heldUsers: (): number[] =>
    db
      .selectDistinct({ userId: outbox.userId })
      .from(outbox)
      .where(and(eq(outbox.status, 'held'), isNotNull(outbox.userId)))
      .all()
      .flatMap(({ userId }) => userId ?? []),
  /** How many messages wait for a user. */
  waiting: (userId: number): number =>
    db
      .select({ n: count() })
      .from(outbox)
      .where(and(eq(outbox.userId, userId), eq(outbox.status, 'held')))
      .get()?.n ?? 0,
});

type QuietHoursStore = ReturnType<typeof quietHoursStore>;

const MAX_WRITES_A_MINUTE = 30;
const MINUTE_MS = 60_000;

type QuietHoursView = Wire<typeof quietHoursAnswer>;

/** People's quiet hours. They are asked for each message, so they are in memory. */
export class QuietHoursOf {
  private readonly byUser = new Map<number, QuietHours>();
  /** For whom something waits: what comes after it waits too, so that the order is kept. */
  private readonly waiting = new Set<number>();
  /** The answers of this minute: asking the calendar for each of thousands of messages would take long. */
  private readonly answers = new Map<number, boolean>();
  private minute = Number.NaN;
  private readonly countWrite: (userId: number) => void;

  constructor(
    private readonly store: QuietHoursStore,
    private readonly clock: SystemClock,
  ) {
    this.countWrite = createWriteLimit(clock, MAX_WRITES_A_MINUTE, 'your quiet hours');
    for (const { userId, ...hours } of store.all()) this.byUser.set(userId, hours);
    for (const userId of store.heldUsers()) this.waiting.add(userId);
  }

  of(userId: number): QuietHours {
    return this.byUser.get(userId) ?? NO_QUIET_HOURS;
  }

  view(userId: number): QuietHoursView {
    return { ...this.of(userId), waiting: this.store.waiting(userId) };
  }

  /** @throws AppError 400 naming what is at fault, 429 */
  save(userId: number, sent: Record<keyof QuietHours, unknown>): QuietHoursView {
    this.countWrite(userId);
    const hours = accepted(checkQuietHours(sent));
    this.store.save(userId, hours);
    this.changed(userId, hours);
    return this.view(userId);
  }

  /** What a transfer file has of them. */
  readonly transfer: TransferKind = {
    give: ({ userId }) => this.byUser.get(userId),
    take: ({ userId }, value) => {
      const tally = new Tally();
      const checked = checkQuietHours(value as Record<keyof QuietHours, unknown>);
      if (!checked.ok) tally.leaveOut('Quiet hours', checked.error.message);
      else if (Bun.deepEquals(checked.value, this.of(userId))) tally.keep();
      else {
        this.store.save(userId, checked.value);
        tally.change();
        return { outcome: tally.outcome(), afterwards: () => this.changed(userId, checked.value) };
      }
      return { outcome: tally.outcome(), afterwards: () => undefined };
    },
  };

  /** Whether a message to a user that may wait does so now. What is answered with yes is taken to be written. */
  readonly holdsBack = (userId: number): boolean => {
    if (this.waiting.has(userId)) return true;
    if (!this.byUser.has(userId) || !this.answer(userId)) return false;
    this.waiting.add(userId);
    return true;
  };

  /** What waited for a user is told. */
  released(userId: number): void {
    this.waiting.delete(userId);
  }

  /** Those for whom something is known to wait; nothing may have been written in the end. */
  waitingUsers(): number[] {
    return [...this.waiting];
  }

  private changed(userId: number, hours: QuietHours): void {
    this.byUser.set(userId, hours);
    this.answers.delete(userId);
  }

  private answer(userId: number): boolean {
    const now = this.clock.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute) this.answers.clear();
    this.minute = minute;
    const known = this.answers.get(userId);
    if (known !== undefined) return known;
    const answer = holdsAt(this.of(userId), now);
    this.answers.set(userId, answer);
    return answer;
  }
}
