import { callDay, dailySummary, lastSummary, MAX_MOVERS, topMovers } from '../rules/dailySummary.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { addDays } from '#market/rules/sydneyTime.ts';
import { addToChannels, KEPT_DAYS } from './addToChannels.ts';
import type { ChannelsDeps } from './deps.ts';
import type { ChannelRow } from './store.ts';

/** A week of the market is over within these days of the wall clock. */
const WEEK_MS = 9 * 24 * 3_600_000;

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
export class DailySummaries {
  /** The day whose prices were waited for in this run. */
  #waitedFor: string | null = null;

  constructor(private readonly deps: ChannelsDeps) {}

  /** Looks whether a summary is due. */
  look(): void {
    const { store, source } = this.deps;
    const now = source.clock.now();
    const { date, until } = lastSummary(now);
    const channels = store.withoutSummary(source.name, date);
    if (channels.length === 0) return;
    if (now >= until) return this.#skip(channels, date, this.#waitedFor === date ? NO_PRICES : WAS_OFF);
    const reachable = this.#reachable(channels, date);
    if (reachable.length === 0) return;
    if (hasPrices(this.deps, date)) this.#send(reachable, date);
    else this.#waitedFor = date;
  }

  /** Those on platforms that this server has a bot on; the others are told nothing of the day. */
  #reachable(channels: readonly ChannelRow[], date: string): ChannelRow[] {
    const byPlatform = Map.groupBy(channels, ({ platform }) => platform);
    for (const [platform, own] of byPlatform) {
      if (this.deps.hasBot(platform)) continue;
      this.#skip(own, date, `${PLATFORM_NAMES[platform]} is not set up on this server.`);
    }
    return channels.filter(({ platform }) => this.deps.hasBot(platform));
  }

  #skip(channels: readonly ChannelRow[], date: string, skippedReason: string): void {
    const { store, source, log } = this.deps;
    store.inTransaction(() => {
      for (const channel of channels) {
        store.insertSummary({ channel, source: source.name, date, nonce: null, skippedReason });
      }
    });
    log.warn('A daily summary was not sent', { date, channels: channels.length, reason: skippedReason });
  }

  #send(channels: readonly ChannelRow[], date: string): void {
    const { store, outbox, source, log } = this.deps;
    const message = summaryOf(this.deps, date);
    store.inTransaction(() => {
      addToChannels(outbox, channels, message, (channel, nonce) =>
        store.insertSummary({ channel, source: source.name, date, nonce, skippedReason: null }),
      );
      store.pruneSummaries(addDays(date, -KEPT_DAYS));
    });
    outbox.wake();
    log.info('The daily summary was sent', { date, channels: channels.length });
  }
}
