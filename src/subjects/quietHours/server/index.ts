import { MINUTE_MS } from '#lib/units.ts';
import { and, count, eq, isNotNull } from 'drizzle-orm';
import { outbox, quietHours } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import {
  type QuietHours,
  checkQuietHours,
  holdsAt,
  NO_QUIET_HOURS,
  isDigestDue,
} from '../rules/quietHours.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { SystemClock } from '#lib/clock.ts';
import { accepted } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { quietHoursAnswer } from '../answers/quietHours.ts';
import { Tally, type TransferKind } from '#subjects/transfer/rules/kind.ts';
import { Repetition } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { QUIET_HOURS } from '../contract.ts';
import { digestMessage } from '../rules/digest.ts';

export const quietHoursStore = (db: Db) => ({
  all: () => db.select().from(quietHours).all(),
  save(userId: number, hours: QuietHours): void {
    db.insert(quietHours)
      .values({ userId, ...hours })
      .onConflictDoUpdate({ target: quietHours.userId, set: hours })
      .run();
  },
  heldUsers: (): number[] =>
    db
      .selectDistinct({ userId: outbox.userId })
      .from(outbox)
      .where(and(eq(outbox.status, 'held'), isNotNull(outbox.userId)))
      .all()
      .flatMap(({ userId }) => userId ?? []),
  waiting: (userId: number): number =>
    db
      .select({ n: count() })
      .from(outbox)
      .where(and(eq(outbox.userId, userId), eq(outbox.status, 'held')))
      .get()?.n ?? 0,
});

type QuietHoursStore = ReturnType<typeof quietHoursStore>;

const MAX_WRITES_A_MINUTE = 30;

type QuietHoursView = Wire<typeof quietHoursAnswer>;

/** Users' quiet hours, kept in memory because every message checks them. */
export class QuietHoursOf {
  private readonly byUser = new Map<number, QuietHours>();
  /** Users with delayed messages. Later messages are delayed too, to keep the order. */
  private readonly waiting = new Set<number>();
  /** Answers for the current minute, because reading the calendar for thousands of messages is slow. */
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

  /** @throws AppError 400 with the field, 429 */
  save(userId: number, sent: Record<keyof QuietHours, unknown>): QuietHoursView {
    this.countWrite(userId);
    const hours = accepted(checkQuietHours(sent));
    this.store.save(userId, hours);
    this.changed(userId, hours);
    return this.view(userId);
  }

  readonly transfer: TransferKind = {
    exportValue: ({ userId }) => this.byUser.get(userId),
    importValue: ({ userId }, value) => {
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

  /** Whether a message that may wait is delayed. If it is, the caller must write it. */
  readonly holdsBack = (userId: number): boolean => {
    if (this.waiting.has(userId)) return true;
    if (!this.byUser.has(userId) || !this.answer(userId)) return false;
    this.waiting.add(userId);
    return true;
  };

  released(userId: number): void {
    this.waiting.delete(userId);
  }

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

/** Digests per check. One takes some ms; the others follow at the next checks. */
const MAX_PER_CHECK = 50;

/** Sends due digests; call it regularly. */
export function sendDigests({ chatsOf, clock, config, outbox }: App, quietHours: QuietHoursOf): void {
  if (quietHours.waitingUsers().length === 0) return;
  const now = clock.now();
  const held = new Map(outbox.held.users().map(({ userId, oldest }) => [userId, oldest]));
  // Delayed messages of these users were not written after all.
  for (const userId of quietHours.waitingUsers()) if (!held.has(userId)) quietHours.released(userId);
  const due = [...held].filter(([userId, oldest]) => isDigestDue(quietHours.of(userId), oldest, now));
  for (const [userId] of due.slice(0, MAX_PER_CHECK)) {
    const places = chatsOf(userId);
    outbox.held.release(
      userId,
      now,
      (first, more) => digestMessage(first, more, now, config.publicUrl),
      (place) => places.some((one) => one.platform === place.platform && one.chatId === place.chatId),
    );
    quietHours.released(userId);
  }
  if (due.length > 0) outbox.wake();
}

const CHECK_EVERY_MS = 15_000;

const quietHoursRoutes = (quietHours: QuietHoursOf) =>
  serve(QUIET_HOURS, {
    'GET /api/settings/quiet-hours': ({ user }) => quietHours.view(user.id),
    'PUT /api/settings/quiet-hours': ({ user, body: { active, from, until, zone, digest } }) =>
      quietHours.save(user.id, { active, from, until, zone, digest }),
  });

export function createQuietHours(app: App) {
  const { clock, log, schedule } = app;
  const quietHours = new QuietHoursOf(quietHoursStore(app.db), clock);
  const checks = new Repetition({
    schedule,
    everyMs: CHECK_EVERY_MS,
    work: () => sendDigests(app, quietHours),
    log: log.child('quietHours'),
    failure: 'Could not write digests; trying again',
  });
  return {
    name: 'quietHours',
    service: quietHours,
    routes: () => quietHoursRoutes(quietHours),
    start: () => checks.start(),
    stop: () => checks.stop(),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    quietHours: QuietHoursOf;
  }
}
