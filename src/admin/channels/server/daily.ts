import {
  headDay,
  headMessage,
  callDay,
  dailySummary,
  lastSummary,
  MAX_MOVERS,
  topMovers,
} from '../rules/dailySummary.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { addToChannels, hasBot } from './broadcast.ts';
import type { ChannelRow, ChannelStore } from './store.ts';
import type { App } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import { Repetition } from '#lib/scheduler.ts';

const KEPT_DAYS = 31;
/** A week by the market's clock is within this time of the wall clock, ms. */
const WEEK_MS = 9 * 24 * 3_600_000;

const WAS_OFF = 'Bellbird was not running with this market source between 16:30 and 18:30 Sydney.';
const NO_PRICES = 'There were no current prices between 16:30 and 18:30 Sydney.';

function summaryOf({ market, source, calls, clock, config }: App, date: string): ChatMessage {
  return dailySummary({
    date,
    label: source.label(),
    scanners: topMovers(market.all().values(), {
      ignoreStatus: source.ignoreStatus(),
      today: date,
      most: MAX_MOVERS,
    }),
    calls: callDay(date, calls.since(clock.now() - WEEK_MS), calls.runningResults()),
    publicUrl: config.publicUrl,
  });
}

const hasPrices = ({ market, source }: App, date: string): boolean =>
  source.health().healthy &&
  market.date() === date &&
  market
    .all()
    .values()
    .some(({ last }) => last !== null);

/**
 * Sends each trading day's summary once to the channels that want it. Message and note are written in one transaction,
 * so that a crash causes no duplicate.
 */
class DailySummaries {
  #waitedFor: string | null = null;

  constructor(
    private readonly app: App,
    private readonly store: ChannelStore,
    private readonly log: Log,
  ) {}

  check(): void {
    const { store } = this;
    const { source } = this.app;
    const now = source.clock.now();
    const { date, until } = lastSummary(now);
    const channels = store.withoutSummary(source.name, date);
    if (channels.length === 0) return;
    if (now >= until) return this.#skip(channels, date, this.#waitedFor === date ? NO_PRICES : WAS_OFF);
    const reachable = this.#reachable(channels, date);
    if (reachable.length === 0) return;
    if (hasPrices(this.app, date)) this.#send(reachable, date);
    else this.#waitedFor = date;
  }

  /** Channels whose platform has a bot on this server. For the others, a note with the reason is stored. */
  #reachable(channels: readonly ChannelRow[], date: string): ChannelRow[] {
    const byPlatform = Map.groupBy(channels, ({ platform }) => platform);
    for (const [platform, own] of byPlatform) {
      if (hasBot(this.app, platform)) continue;
      this.#skip(own, date, `${PLATFORM_NAMES[platform]} is not set up on this server.`);
    }
    return channels.filter(({ platform }) => hasBot(this.app, platform));
  }

  #skip(channels: readonly ChannelRow[], date: string, skippedReason: string): void {
    const { store, log } = this;
    const { source } = this.app;
    store.inTransaction(() => {
      for (const channel of channels) {
        store.insertSummary({ channel, source: source.name, date, nonce: null, skippedReason });
      }
    });
    log.warn('Skipped a daily summary', { date, channels: channels.length, reason: skippedReason });
  }

  #send(channels: readonly ChannelRow[], date: string): void {
    const { store, log } = this;
    const { outbox, source } = this.app;
    const message = summaryOf(this.app, date);
    store.inTransaction(() => {
      addToChannels(outbox, channels, message, (channel, nonce) =>
        store.insertSummary({ channel, source: source.name, date, nonce, skippedReason: null }),
      );
      store.pruneSummaries(addDays(date, -KEPT_DAYS));
    });
    outbox.wake();
    log.info('Sent the daily summary', { date, channels: channels.length });
  }
}

/**
 * Sends the latest ledger entry once a day to the subscribed channels. Message and note are written in one transaction,
 * so that a crash causes no duplicate. A day on which the server was off until midnight is skipped.
 */
class DailyHeads {
  constructor(
    private readonly app: App,
    private readonly store: ChannelStore,
    private readonly log: Log,
  ) {}

  check(): void {
    const { store, log } = this;
    const { calls, clock, config, outbox } = this.app;
    const day = headDay(clock.now());
    if (day === null) return;
    const channels = store
      .withoutHead(day.date, day.since)
      .filter(({ platform, chatId }) => hasBot(this.app, platform) && chatId !== '');
    const head = channels.length === 0 ? null : calls.ledger.head();
    if (head === null) return;
    const message = headMessage(head, day.date, config.publicUrl);
    store.inTransaction(() => {
      addToChannels(outbox, channels, message, (channel, nonce) =>
        store.insertHead(channel, day.date, nonce),
      );
      store.pruneHeads(addDays(day.date, -KEPT_DAYS));
    });
    outbox.wake();
    log.info('Sent the latest ledger entry', { line: head.number, channels: channels.length });
  }
}

/** Check interval, ms. It is short, because a simulated day may run some hundred times as fast. */
const CHECK_MS = 10_000;

export function dailyMessages(app: App, store: ChannelStore, log: Log) {
  const summaries = new DailySummaries(app, store, log);
  const heads = new DailyHeads(app, store, log);
  const checks = [
    { work: () => summaries.check(), failure: 'Could not send the daily summary; trying again' },
    { work: () => heads.check(), failure: 'Could not send the latest ledger entry; trying again' },
  ].map((one) => ({
    work: one.work,
    repetition: new Repetition({ ...one, everyMs: CHECK_MS, schedule: app.schedule, log }),
  }));
  return {
    start(): void {
      for (const { work, repetition } of checks) {
        if (repetition.isOn) continue;
        repetition.safely(work);
        repetition.start();
      }
    },
    stop(): void {
      for (const { repetition } of checks) repetition.stop();
    },
  };
}
