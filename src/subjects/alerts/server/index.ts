import type { AccountState } from '#subjects/accounts/rules/accountState.ts';
import { alertNote } from '../rules/alertMessage.ts';
import { createStockTitles } from '../rules/stockTitle.ts';
import type { ScanTriggerHistory } from '../rules/scanAlerts/scanTrigger.ts';
import type { Connections } from '#platform/http/connections.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Market } from '#market/types.ts';
import type { ChannelTap } from '#platform/sse/tap.ts';
import type { Core, Part, Pruned } from '#src/part.ts';
import type { Watchlist } from './watchlist/service.ts';
import { AfterTriggers, createDeliveryWatch } from './afterTriggers.ts';
import type { AlertsDeps } from './deps.ts';
import { AlertEngine } from './engine/engine.ts';
import type { AlertEngineNeeds } from './engine/types.ts';
import { Rehearsals, type RehearsalsDeps } from './rehearsal/service.ts';
import { alertRoutes } from './routes.ts';
import { Alerts } from './service.ts';
import { AlertStore } from './store.ts';
import { AlertStream, streamRoutes } from './stream.ts';
import type { Clock } from '#lib/clock.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long it is told that, and why, an alert fired; as long as the outbox knows what became of its messages. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/**
 * Of an alert that fires all the time only the newest are kept that long: a persistent one fires up to 360 times a day,
 * and deleting one takes as long as it has triggers. Those of the last two days stay, as their messages may wait.
 */
const KEPT_OF_AN_ALERT = 200;
const SURPLUS_AFTER_MS = 48 * HOUR_MS;
/** At once; a trigger more takes with it what refers to it. */
const MAX_PRUNED = 250;

type PruneDeps = {
  store: Pick<AlertStore, 'dropOldTriggers' | 'dropSurplusTriggers'>;
  clock: Clock;
};

/** @returns a function that removes old triggers, and what one alert has too many of, some at once */
export function createPruning({ store, clock }: PruneDeps): () => Pruned {
  /** The last alert that was looked at. */
  let after = 0;

  return () => {
    const now = clock.now();
    const old = store.dropOldTriggers(now - KEPT_MS, MAX_PRUNED);
    if (old === MAX_PRUNED) return { removed: old, hasMore: true };
    const before = now - SURPLUS_AFTER_MS;
    const { count, last } = store.dropSurplusTriggers({
      after,
      before,
      kept: KEPT_OF_AN_ALERT,
      most: MAX_PRUNED,
    });
    if (count < MAX_PRUNED) after = last ?? 0;
    return { removed: old + count, hasMore: last !== null };
  };
}

export type AlertsNeeds = Pick<AlertsDeps, 'indicators'> &
  Connections & {
    market: AlertEngineNeeds['market'] & Pick<Market, 'all'>;
    adjustments: AlertEngineNeeds['adjustments'];
    watchlist: Watchlist;
    /** What rehearsals run over. */
    past: RehearsalsDeps['past'];
    reads: RehearsalsDeps['reads'];
    outbox: AlertEngineNeeds['outbox'] & Pick<AlertsDeps, 'deliveryOf' | 'sentOf'>;
    noteNews: () => void;
    /** The events of HIGH impact around now. */
    events: AlertEngineNeeds['events'];
    /** The chats of a user that messages can be delivered to. */
    chatsOf: AlertEngineNeeds['destinations'];
    /** The chats and devices of a user, working or not. */
    placesOf: AlertsDeps['placesOf'];
    /** What alerts on whole scans told, for the stream. */
    scanTriggers: ScanTriggerHistory;
    /** A user's account as it stands, for the stream. */
    accountOf(userId: number): AccountState | null;
    /** How often the stream pings; for tests. */
    streamPingMs?: number | undefined;
    /** Hears what the stream tells, for windows elsewhere. */
    streamTap?: ChannelTap | undefined;
    /** Streams of alerts that others have open: see `SseChannelDeps`. */
    streamsElsewhere?: ((address: string | null) => number) | undefined;
    schedule?: Scheduler | undefined;
  };

/** What alerts are made of, connected. */
class AlertPieces {
  readonly stream: AlertStream;
  readonly after: AfterTriggers;
  readonly engine: AlertEngine;
  readonly deliveries: ReturnType<typeof createDeliveryWatch>;
  readonly alerts: Alerts;
  readonly rehearsals: Rehearsals;
  readonly prune: () => Pruned;

  constructor(
    private readonly core: Core,
    private readonly needs: AlertsNeeds,
  ) {
    const { db, clock, source } = core;
    const { market, indicators, watchlist, placesOf } = needs;
    const { deliveryOf, sentOf } = needs.outbox;
    const store = new AlertStore(db);
    this.stream = new AlertStream(core, {
      ...needs,
      store,
      label: source.label,
      pingMs: needs.streamPingMs,
      tap: needs.streamTap,
      elsewhere: needs.streamsElsewhere,
    });
    this.after = this.makeAfterTriggers();
    this.engine = this.makeEngine();
    const used: AlertsDeps = {
      store,
      clock,
      market,
      indicators,
      watchlist,
      placesOf,
      deliveryOf,
      sentOf,
      engine: this.engine,
      marketNow: () => source.clock.now(),
      changed: (userId, id, symbol) => this.stream.changed(userId, id, symbol),
    };
    this.deliveries = createDeliveryWatch(used);
    this.alerts = new Alerts(used);
    this.rehearsals = this.makeRehearsals();
    this.prune = createPruning({ store, clock });
  }

  counts() {
    return { ...this.engine.counts(), streams: this.stream.stats().clients };
  }

  /** Takes up the alerts of an earlier run. */
  start(): void {
    this.stream.begin();
    const withLess = this.engine.resume();
    if (withLess.length > 0) this.needs.indicators.alertsChanged([...new Set(withLess)]);
  }

  /** Writes what is not on disk yet, and ends all streams. */
  stop(): void {
    try {
      this.engine.flush();
    } finally {
      this.after.stop();
      this.stream.close();
    }
  }

  private makeAfterTriggers(): AfterTriggers {
    const { schedule = timerScheduler, indicators } = this.needs;
    return new AfterTriggers({
      stream: this.stream,
      indicators,
      applyDeferred: (userIds) => this.engine.applyDeferred(userIds),
      later: (run) => void schedule(0, run),
      log: this.core.log.child('alerts'),
    });
  }

  private makeEngine(): AlertEngine {
    const { market, adjustments, outbox, chatsOf, indicators, events, noteNews } = this.needs;
    const titleOf = createStockTitles();
    return new AlertEngine(this.core, {
      market,
      adjustments,
      outbox,
      events,
      noteNews,
      destinations: chatsOf,
      noteOf: (trigger, alert, context) => alertNote(trigger, alert, { ...context, titleOf }),
      catalog: indicators.catalog.current,
      scansOf: indicators.scansOf,
      stopped: (alerts) => this.after.stopped(alerts),
      arming: ({ userId, id, symbol }) => this.stream.changed(userId, id, symbol),
    });
  }

  private makeRehearsals(): Rehearsals {
    const { market, indicators, past, reads } = this.needs;
    return new Rehearsals({
      past,
      market,
      reads,
      catalog: indicators.catalog.current,
      scansOf: indicators.scansOf,
      preview: (alert) => this.engine.preview(alert),
      stopwatch: this.core.clock,
    });
  }
}

/**
 * Alerts: what their owners do with them, the engine that evaluates them on every tick, and the stream that tells of
 * them.
 */
export function createAlerts(core: Core, needs: AlertsNeeds) {
  const { indicators, watchlist, keepOpen } = needs;
  const pieces = new AlertPieces(core, needs);
  const { stream, after, engine, alerts, deliveries, rehearsals } = pieces;
  engine.listen((triggers) => after.triggered(triggers));
  engine.listen(deliveries.add);
  watchlist.listen({
    removing: alerts.removeOfSymbol,
    changed: (userId, symbol) => stream.changed(userId, null, symbol),
  });
  indicators.listenToScans(alerts.scanChanged);
  return {
    name: 'alerts',
    service: Object.assign(alerts, {
      notifier: stream.notifier,
      openingElsewhere: stream.openingElsewhere,
      openStreams: stream.openStreams,
      rehearseScan: rehearsals.rehearseScan,
    }),
    routes: () => [...alertRoutes(alerts, rehearsals), ...streamRoutes(stream, keepOpen)],
    onChanges(changes) {
      engine.onChanges(changes);
      after.releaseUnread();
      deliveries.look();
    },
    onJump: () => engine.jump(),
    start: () => pieces.start(),
    stop: () => pieces.stop(),
    prune: pieces.prune,
    ...inspections(pieces),
  } satisfies Part;
}

/** What the state inspector shows of alerts. */
const inspections = (pieces: AlertPieces) => ({
  inspect: () => ({
    label: 'Alerts',
    description: 'The alerts that are evaluated on each tick.',
    summary: pieces.counts(),
    data: () => ({ ...pieces.counts(), alerts: pieces.engine.held() }),
  }),
  alsoInspect: {
    alertStream: () => ({
      label: 'Alert stream',
      description: 'Browsers that listen to their own alerts, and what was sent to them.',
      summary: { ...pieces.stream.stats() },
      data: () => pieces.stream.stats(),
    }),
  },
});
