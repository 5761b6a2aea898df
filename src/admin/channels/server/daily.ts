import { callDay } from '../rules/callWeek.ts';
import { dailySummary, MAX_MOVERS } from '../rules/dailySummary.ts';
import { topMovers } from '../rules/movers.ts';
import { lastSummary } from '../rules/summaryTime.ts';
import type { ChatMessage } from '../../../subjects/chats/rules/chatMessage.ts';
import { PLATFORM_NAMES } from '../../../subjects/chats/rules/chatPlatform.ts';
import { addDays } from '../../../market/rules/sydneyTime.ts';
import type { Scheduler } from '../../../lib/scheduler.ts';
import type { ChannelsDeps } from './deps.ts';
import type { ChannelRow } from './store.ts';

/** A simulated day may pass some hundred times as fast. */
const LOOK_MS = 10_000;
/** A week of the market is over within these days of the wall clock. */
const WEEK_MS = 9 * 24 * 3_600_000;
const KEPT_DAYS = 31;

const WAS_OFF = 'Bellbird was not running with this market between 16:30 and 18:30 Sydney.';
const NO_PRICES = 'There were no current prices between 16:30 and 18:30 Sydney.';

/** What is told of a day. */
function summaryOf(deps: ChannelsDeps, date: string): ChatMessage {
  const { market, source, calls, clock, publicUrl } = deps;
  return dailySummary({
    date,
    label: source.label(),
    scanners: topMovers(market.all().values(), {
      ignoreStatus: source.ignoreStatus(),
      today: date,
      most: MAX_MOVERS,
    }),
    calls: callDay(date, calls.since(clock.now() - WEEK_MS), calls.runningResults()),
    publicUrl,
  });
}

/** Whether the Market shows that day, with prices that are fresh. */
const hasPrices = ({ market, source }: ChannelsDeps, date: string): boolean =>
  source.health().healthy &&
  market.date() === date &&
  market
    .all()
    .values()
    .some(({ last }) => last !== null);

/**
 * Sends each trading day's summary to the channels that want it, once, also when the server is killed in between: the
 * message and the note that it was sent are written together.
 */
export function createDaily(deps: ChannelsDeps, schedule: Scheduler) {
  const { store, outbox, source, hasBot } = deps;
  const log = deps.log;
  let cancel: (() => void) | null = null;
  /** The day whose prices were waited for in this run. */
  let waitedFor: string | null = null;

  function skip(channels: readonly ChannelRow[], date: string, skippedReason: string): void {
    store.inTransaction(() => {
      for (const channel of channels) {
        store.insertSummary({ channel, source: source.name, date, nonce: null, skippedReason });
      }
    });
    log.warn('A daily summary was not sent', { date, channels: channels.length, reason: skippedReason });
  }

  function send(channels: readonly ChannelRow[], date: string): void {
    const message = summaryOf(deps, date);
    store.inTransaction(() => {
      const nonces = outbox.add(
        channels.map(({ platform, chatId }) => ({
          ...{ platform, target: 'channel' as const, chatId },
          ...{ userId: null, triggerId: null, message },
        })),
      );
      channels.forEach((channel, index) => {
        const nonce = nonces[index];
        if (nonce !== undefined) {
          store.insertSummary({ channel, source: source.name, date, nonce, skippedReason: null });
        }
      });
      store.pruneSummaries(addDays(date, -KEPT_DAYS));
    });
    outbox.wake();
    log.info('The daily summary was sent', { date, channels: channels.length });
  }

  function look(): void {
    const now = source.clock.now();
    const { date, until } = lastSummary(now);
    const channels = store.withoutSummary(source.name, date);
    if (channels.length === 0) return;
    if (now >= until) return skip(channels, date, waitedFor === date ? NO_PRICES : WAS_OFF);
    for (const platform of new Set(channels.map((channel) => channel.platform))) {
      if (hasBot(platform)) continue;
      const without = channels.filter((channel) => channel.platform === platform);
      skip(without, date, `${PLATFORM_NAMES[platform]} is not set up on this server.`);
    }
    const reachable = channels.filter(({ platform }) => hasBot(platform));
    if (reachable.length === 0) return;
    if (hasPrices(deps, date)) send(reachable, date);
    else waitedFor = date;
  }

  function again(): void {
    try {
      look();
    } catch (error) {
      log.error('The daily summary could not be sent; trying again', { error });
    }
    cancel = schedule(LOOK_MS, again);
  }

  return {
    /** Looks whether a summary is due. */
    look,
    start(): void {
      if (cancel === null) again();
    },
    stop(): void {
      cancel?.();
      cancel = null;
    },
  };
}
