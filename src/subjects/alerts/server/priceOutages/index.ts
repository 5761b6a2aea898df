import { MINUTE_MS } from '#lib/units.ts';
import {
  outageMessage,
  type Outage,
  type OutageNews,
  type OutageState,
  createUsualDelay,
  FRESH,
  observe,
  restarted,
  seesAgainMessage,
  type Sight,
  type Span,
  REPORT_AFTER_MS,
  watchedAt,
  watchedBetween,
} from '#subjects/alerts/rules/priceOutage.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { createPhaseReader } from '#market/rules/sessionClock.ts';
import { specialDaysRevision } from '#market/rules/tradingDay.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { App, Part } from '#platform/app.ts';
import type { ChatDelivery } from '../messages.ts';
import { OutageStore, type Recipient } from './store.ts';
import { Repetition } from '#lib/scheduler.ts';
import { formatTime } from '#texts/format.ts';

/** A working feed brings data several times a minute, or at its own interval; ms. */
const SILENT_MS = 60_000;
/** A failed request is repeated within this many intervals. */
const SILENT_INTERVALS = 2.5;
const HEARTBEAT_MS = 60_000;
/** Alerts that fire this soon after the end of an outage count as missed during it. */
const FIRST_CHECK_MS = 60_000;
/** A larger jump of the clock is not sleep: the clock was set. */
const MAX_SLEEP_MS = 4 * 24 * 3_600_000;

/** Caches the market hours until they can change. */
class Hours {
  private readonly readPhase = createPhaseReader();
  private revision = specialDaysRevision();
  private watchedSpan: Span | null = null;
  private minute = Number.NaN;

  isOpen(now: number): boolean {
    return this.readPhase(now).phase === 'open';
  }

  /** The market hours around a moment; null outside. @param lastSeen when the feed last brought data, epoch ms */
  watched(now: number, lastSeen: number | null): Span | null {
    if (this.revision !== specialDaysRevision()) {
      this.revision = specialDaysRevision();
      this.watchedSpan = null;
      this.minute = Number.NaN;
    }
    const known = this.watchedSpan;
    if (known && now >= known.since && now < known.until) return known;
    const minute = Math.floor(now / MINUTE_MS);
    if (minute === this.minute && known === null) return null;
    this.minute = minute;
    this.watchedSpan = watchedAt(now, lastSeen);
    return this.watchedSpan;
  }
}

const deliveries = (to: readonly Recipient[], messageOf: (userId: number) => ChatMessage): ChatDelivery[] =>
  to.map(({ userId, platform, chatId }) => ({
    userId,
    platform,
    chatId,
    triggerId: null,
    mayWait: true,
    message: messageOf(userId),
  }));

/** Detects price outages of a source by the wall clock and notifies the owners of active alerts. */
export class OutageWatch {
  private state: OutageState = FRESH;
  private readonly began: number;
  private lastCheck: number;
  private lastNow: number;
  private lastBeat = Number.NEGATIVE_INFINITY;
  private readonly usual = createUsualDelay();
  private readonly hours = new Hours();
  private readonly maxSilenceMs: number;

  constructor(
    private readonly app: App,
    private readonly store: OutageStore,
  ) {
    const { clock, source } = app;
    this.began = clock.monotonic();
    this.lastCheck = this.began;
    this.lastNow = clock.now();
    this.maxSilenceMs = Math.max(SILENT_MS, (source.everyMs ?? 0) * SILENT_INTERVALS);
  }

  /** Loads the state of an earlier run, and detects whether the server was down. */
  resume(): void {
    const {
      app: { clock, source },
      store,
    } = this;
    const now = clock.now();
    const kept = store.state(source.name) ?? FRESH;
    const from = kept.heartbeat;
    const down = from === null || from > now ? null : watchedBetween(from, now);
    this.state = restarted(kept, down, store.newestTrigger());
    if (this.state !== kept) store.setState(source.name, this.state);
    this.lastCheck = clock.monotonic();
    this.lastNow = now;
  }

  check(): void {
    const {
      app: { clock, source },
      store,
    } = this;
    const now = clock.now();
    const reading = clock.monotonic();
    const elapsedMs = reading - this.lastCheck;
    this.checkForSleep(now, elapsedMs);
    this.lastCheck = reading;
    this.lastNow = now;
    const watched = this.hours.watched(now, source.health().lastSuccess);
    const sight = this.sightAt(now, elapsedMs, watched?.since ?? null);
    const isWatched = watched !== null;
    const newestTrigger = (): number => store.newestTrigger();
    const step = observe(this.state, { now, elapsedMs, isWatched, sight, newestTrigger });
    const next = isWatched ? { ...step.state, heartbeat: now } : step.state;
    if (step.news) this.notify(step.news, next, now);
    this.state = next;
    if (isWatched) this.beat(now);
  }

  close(): void {
    const { clock, source } = this.app;
    if (!this.hours.watched(clock.now(), source.health().lastSuccess)) return;
    this.lastBeat = Number.NEGATIVE_INFINITY;
    this.beat(clock.now());
  }

  /** Start of the current outage, epoch ms; null for none. */
  outageSince(): number | null {
    return this.state.blindness?.since ?? null;
  }

  /** @param elapsedMs since the last check @param watchedSince start of these market hours; null outside */
  private sightAt(now: number, elapsedMs: number, watchedSince: number | null): Sight {
    const { source, clock } = this.app;
    const { lastSuccess, measuredLagMs } = source.health();
    const sinceStart = clock.monotonic() - this.began;
    const silentMs = lastSuccess === null ? sinceStart : Math.max(0, now - lastSuccess);
    // A silence overnight counts from the start of market hours.
    const since = Math.max(now - silentMs, watchedSince ?? 0);
    const isLate = this.hours.isOpen(now) && this.usual.isLate(sydneyDate(now), measuredLagMs, elapsedMs);
    if (lastSuccess !== null && silentMs <= this.maxSilenceMs) return { kind: isLate ? 'late' : 'sees' };
    if (now - since <= this.maxSilenceMs) return { kind: 'unsure' };
    return { kind: 'stopped', since };
  }

  private notify({ kind, blindness }: OutageNews, next: OutageState, now: number): void {
    const {
      app: { outbox, source },
      store,
    } = this;
    store.inTransaction(() => {
      if (kind === 'blind') this.reportOutage(blindness, now);
      else this.reportRecovery(blindness, now);
      store.setState(source.name, next);
    });
    outbox.wake();
  }

  private reportOutage({ reason, since }: Outage, now: number): void {
    const {
      app: { outbox },
      store,
    } = this;
    const recipients = store.recipients();
    const shown = reason === 'down' ? 'stopped' : reason;
    outbox.add(deliveries(recipients, () => outageMessage(shown, since, now)));
    store.setNotified([...new Set(recipients.map(({ userId }) => userId))]);
  }

  private reportRecovery(outage: Outage, now: number): void {
    const {
      app: { outbox },
      store,
    } = this;
    const { reason, since, isTold, sight, afterTrigger } = outage;
    const until = sight?.since ?? now;
    const fired = store.fired(afterTrigger, until - SILENT_MS, until + FIRST_CHECK_MS);
    const marketMs = watchedBetween(since, until)?.ms ?? 0;
    const span = { since, until, now, marketMs };
    // If the server was down and prices are still missing afterwards, the cause shown is the feed.
    const shown = isTold && reason === 'down' ? 'stopped' : reason;
    const recipients = this.recipientsOf(outage);
    outbox.add(deliveries(recipients, (userId) => seesAgainMessage(shown, span, fired.get(userId) ?? [])));
    store.setNotified([]);
  }

  /** Users who were notified of the start are also notified of the end, even if their alert is now off. */
  private recipientsOf({ isTold, wasDown }: Outage): readonly Recipient[] {
    const { store } = this;
    const recipients = store.notified();
    const known = isTold ? store.placesOf(recipients) : [];
    if (!wasDown) return known;
    return [...known, ...store.recipients().filter(({ userId }) => !recipients.includes(userId))];
  }

  /** Stores the heartbeat, at most one small write per minute. */
  private beat(now: number): void {
    const {
      app: { clock, source },
      store,
    } = this;
    const reading = clock.monotonic();
    if (reading - this.lastBeat < HEARTBEAT_MS) return;
    this.state = { ...this.state, heartbeat: now };
    store.setState(source.name, this.state);
    this.lastBeat = reading;
  }

  /** A computer that slept, or whose clock was set after the start, counts as not running. */
  private checkForSleep(now: number, elapsedMs: number): void {
    const gap = now - this.lastNow - elapsedMs;
    if (gap < REPORT_AFTER_MS || gap > MAX_SLEEP_MS) return;
    const newest = this.store.newestTrigger();
    this.state = restarted(this.state, watchedBetween(this.lastNow, now), newest);
  }
}

const CHECK_EVERY_MS = 5000;

/**
 * Notifies the owners of active alerts of price outages and their ends. Skips simulated markets and replays, which
 * start with the server.
 */
export function createPriceOutages(app: App) {
  const { db, schedule, source } = app;
  const isReal = source.days === 'consecutive' && source.clock.speed === 1 && !source.replay;
  const watch = new OutageWatch(app, new OutageStore(db, app));
  const checks = new Repetition({
    schedule,
    everyMs: CHECK_EVERY_MS,
    work: () => watch.check(),
    log: app.log.child('priceOutages'),
    failure: 'Could not check for price outages; trying again',
  });

  return {
    name: 'priceOutages',
    /** Call it before the source starts. */
    start() {
      if (!isReal || checks.isOn) return;
      checks.safely(() => watch.resume());
      checks.start();
    },
    stop() {
      if (!checks.isOn) return;
      checks.stop();
      checks.safely(() => watch.close());
    },
    inspect() {
      const since = watch.outageSince();
      return {
        label: 'Price outages',
        description: 'Since when prices have been too old to evaluate alerts.',
        summary: { outageSince: since === null ? null : formatTime(since) },
        data: () => ({ isLookedAt: isReal, outageSince: since }),
      };
    },
  } satisfies Part;
}
