import {
  type Blindness,
  type BlindSpotNews,
  type BlindSpotState,
  FRESH,
  observe,
  restarted,
  type Sight,
  TELL_AFTER_MS,
} from '../../rules/blindSpot.ts';
import { blindMessage, seesAgainMessage } from '../../rules/blindSpotMessage.ts';
import { createUsualDelay } from '../../rules/usualDelay.ts';
import { type Span, watchedAt, watchedBetween } from '../../rules/watchedHours.ts';
import type { ChatMessage } from '../../../chats/rules/chatMessage.ts';
import type { ChatPlatform } from '../../../chats/rules/chatPlatform.ts';
import { phaseAt } from '../../../../market/rules/sessionClock.ts';
import { sydneyDate } from '../../../../market/rules/sydneyTime.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { MarketSource } from '../../../../sources/quotes/source.ts';
import type { BlindSpotStore, Recipient } from './store.ts';

/** A message to a chat, as the outbox takes it. */
export type BlindSpotDelivery = {
  platform: ChatPlatform;
  chatId: string;
  userId: number;
  triggerId: null;
  message: ChatMessage;
};

export type WatchDeps = {
  store: BlindSpotStore;
  clock: SystemClock;
  source: Pick<MarketSource, 'name' | 'health' | 'everyMs'>;
  /** `add` is called within the transaction, `wake` after its commit. */
  outbox: { add(messages: readonly BlindSpotDelivery[]): void; wake(): void };
};

export type BlindSpotWatch = {
  /** Takes up what an earlier run left, and whether the server was down. */
  resume(): void;
  /** One look at the feed, some seconds after the last. */
  look(): void;
  /** Notes that the server ran until now. */
  close(): void;
  /** Since when alerts are blind, epoch ms; null while they see. */
  blindSince(): number | null;
};

/** A feed in use brings something several times a minute, or as often as it asks for it. */
const SILENT_MS = 60_000;
/** A request that failed is made again before so many of its intervals are over. */
const SILENT_INTERVALS = 2.5;
const MINUTE_MS = 60_000;
const HEARTBEAT_MS = 60_000;
/** What fires so soon after prices came again moved while nobody saw it. */
const FIRST_LOOK_MS = 60_000;
/** A clock that jumps further was set. */
const MAX_SLEEP_MS = 4 * 24 * 3_600_000;

/** The calendar costs a third of a millisecond; it is asked anew where the last answer does not hold any more. */
function createHours() {
  let phase: ReturnType<typeof phaseAt> | null = null;
  let watched: Span | null = null;
  let minute = Number.NaN;
  return {
    isOpen(now: number): boolean {
      if (phase === null || now < phase.since || now >= phase.until) phase = phaseAt(now);
      return phase.phase === 'open';
    },
    watched(now: number, lastSeen: number | null): Span | null {
      if (watched && now >= watched.since && now < watched.until) return watched;
      const current = Math.floor(now / MINUTE_MS);
      if (current === minute && watched === null) return null;
      minute = current;
      watched = watchedAt(now, lastSeen);
      return watched;
    },
  };
}

/** Looks at the feed of a source whose clock is the wall clock, and tells the owners of active alerts. */
export function createBlindSpotWatch({ store, clock, source, outbox }: WatchDeps): BlindSpotWatch {
  let state: BlindSpotState = FRESH;
  let lastLook = clock.monotonic();
  let lastNow = clock.now();
  let lastBeat = Number.NEGATIVE_INFINITY;
  const began = clock.monotonic();
  const usual = createUsualDelay();
  const hours = createHours();
  const maxSilenceMs = Math.max(SILENT_MS, (source.everyMs ?? 0) * SILENT_INTERVALS);

  /** @param elapsedMs since the last look @param watchedSince when these market hours began; null outside of them */
  function sightAt(now: number, elapsedMs: number, watchedSince: number | null): Sight {
    const { lastSuccess, measuredLagMs } = source.health();
    const sinceStart = clock.monotonic() - began;
    const silentMs = lastSuccess === null ? sinceStart : Math.max(0, now - lastSuccess);
    // What was silent over night is missed from the beginning of market hours on.
    const since = Math.max(now - silentMs, watchedSince ?? 0);
    const isLate = hours.isOpen(now) && usual.isLate(sydneyDate(now), measuredLagMs, elapsedMs);
    if (lastSuccess !== null && silentMs <= maxSilenceMs) return { kind: isLate ? 'late' : 'sees' };
    if (now - since <= maxSilenceMs) return { kind: 'unsure' };
    return { kind: 'stopped', since };
  }

  const deliveries = (
    to: readonly Recipient[],
    messageOf: (userId: number) => ChatMessage,
  ): BlindSpotDelivery[] =>
    to.map(({ userId, platform, chatId }) => ({
      userId,
      platform,
      chatId,
      triggerId: null,
      message: messageOf(userId),
    }));

  function tellBlind({ reason, since }: Blindness, now: number): void {
    const recipients = store.recipients();
    const shown = reason === 'down' ? 'stopped' : reason;
    outbox.add(deliveries(recipients, () => blindMessage(shown, since, now)));
    store.setTold([...new Set(recipients.map(({ userId }) => userId))]);
  }

  function tellSeesAgain(blindness: Blindness, now: number): void {
    const { reason, since, isTold, sight, afterTrigger } = blindness;
    const until = sight?.since ?? now;
    const told = store.told();
    const known = new Set(told);
    // Who was told that it began is told that it ended, also when the alert was switched off since.
    const recipients = isTold ? store.chatsOf(told) : [];
    if (blindness.wasDown) recipients.push(...store.recipients().filter(({ userId }) => !known.has(userId)));
    const fired = store.fired(afterTrigger, until - SILENT_MS, until + FIRST_LOOK_MS);
    const marketMs = watchedBetween(since, until)?.ms ?? 0;
    const span = { since, until, now, marketMs };
    // A server that runs again without prices saw nothing either.
    const shown = isTold && reason === 'down' ? 'stopped' : reason;
    outbox.add(deliveries(recipients, (userId) => seesAgainMessage(shown, span, fired.get(userId) ?? [])));
    store.setTold([]);
  }

  /** State and messages are on disk together, or neither. */
  function tell({ kind, blindness }: BlindSpotNews, next: BlindSpotState, now: number): void {
    store.inTransaction(() => {
      if (kind === 'blind') tellBlind(blindness, now);
      else tellSeesAgain(blindness, now);
      store.setState(source.name, next);
    });
    outbox.wake();
  }

  /** At most one small write a minute. */
  function beat(now: number): void {
    const reading = clock.monotonic();
    if (reading - lastBeat < HEARTBEAT_MS) return;
    state = { ...state, heartbeat: now };
    store.setState(source.name, state);
    lastBeat = reading;
  }

  /** A computer that slept, or found the time only after its start, was not running either. */
  function noticeSleep(now: number, elapsedMs: number): void {
    const gap = now - lastNow - elapsedMs;
    if (gap < TELL_AFTER_MS || gap > MAX_SLEEP_MS) return;
    state = restarted(state, watchedBetween(lastNow, now), store.newestTrigger());
  }

  return {
    resume() {
      const now = clock.now();
      const kept = store.state(source.name) ?? FRESH;
      const from = kept.heartbeat;
      const down = from === null || from > now ? null : watchedBetween(from, now);
      state = restarted(kept, down, store.newestTrigger());
      if (state !== kept) store.setState(source.name, state);
      lastLook = clock.monotonic();
      lastNow = now;
    },
    look() {
      const now = clock.now();
      const reading = clock.monotonic();
      const elapsedMs = reading - lastLook;
      noticeSleep(now, elapsedMs);
      lastLook = reading;
      lastNow = now;
      const watched = hours.watched(now, source.health().lastSuccess);
      const sight = sightAt(now, elapsedMs, watched?.since ?? null);
      const isWatched = watched !== null;
      const { newestTrigger } = store;
      const step = observe(state, { now, elapsedMs, isWatched, sight, newestTrigger });
      const next = isWatched ? { ...step.state, heartbeat: now } : step.state;
      if (step.news) tell(step.news, next, now);
      state = next;
      if (isWatched) beat(now);
    },
    close() {
      if (hours.watched(clock.now(), source.health().lastSuccess)) {
        lastBeat = Number.NEGATIVE_INFINITY;
        beat(clock.now());
      }
    },
    blindSince: () => state.blindness?.since ?? null,
  };
}
