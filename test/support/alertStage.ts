import { eq } from 'drizzle-orm';
import { NO_ADJUSTMENTS } from '../../src/market/adjustments/index.ts';
import { watchOf } from './adjustmentWatch.ts';
import { alertStates, alerts, alertTriggers, outbox } from '../../src/platform/db/alertSchema.ts';
import type { Db } from '../../src/platform/db/open.ts';
import { openMemoryDb } from './memoryDb.ts';
import { users } from '../../src/platform/db/schema.ts';
import type { Alert, AlertInput } from '../../src/subjects/alerts/rules/alert.ts';
import type { Trigger } from '../../src/subjects/alerts/rules/trigger.ts';
import type { Logic } from '../../src/subjects/conditions/rules/condition.ts';
import { NO_SCANS } from '../../src/subjects/conditions/rules/savedScan.ts';
import { builtInCatalog } from '../../src/market/indicators/rules/builtInCatalog.ts';
import type { StockUpdate } from '../../src/market/rules/stock.ts';
import { AlertEngine } from '../../src/subjects/alerts/server/engine/engine.ts';
import type {
  AlertEngineNeeds,
  EngineMessage,
  StoppedAlert,
} from '../../src/subjects/alerts/server/engine/types.ts';
import { toAlert } from '../../src/subjects/alerts/server/store.ts';
import { createLog, type LogLine } from '../../src/lib/log.ts';
import { createMarket } from '../../src/market/market.ts';
import type { ChangeSet, Market } from '../../src/market/types.ts';
import { createHandSource, type HandSource, type HandSourceTraits } from './handSource.ts';
import { createFakeClock, type FakeClock } from './testApp.ts';

export type AlertStage = {
  db: Db;
  clock: FakeClock;
  market: Market;
  source: HandSource;
  engine: AlertEngine;
  /** Every trigger that listeners were told of. */
  fired: Trigger[];
  /** Alerts that were stopped without having fired. */
  stopped: StoppedAlert[];
  lines: LogLine[];
  catalog: ReturnType<typeof builtInCatalog>;
  /** How often the outbox was woken. */
  woken(): number;
  /** Stores an alert and gives it to the engine, as the routes do. */
  add(input: Partial<AlertInput & Pick<Alert, 'armedAt' | 'snoozedUntil'>> & { logic: Logic }): Alert;
  /** Stores a change, and gives the alert to the engine. */
  change(id: number, change: Partial<Alert>): Alert;
  alert(id: number): Alert | undefined;
  /** One second of the market: a batch, and the tick after it. */
  tick(...updates: StockUpdate[]): ChangeSet | null;
  /** Ends the engine without a word, as kill -9 does, and makes a new one on the same database. */
  kill(): void;
  /** Makes the database refuse every write, or take them again. */
  refuseWrites(isRefusing: boolean): void;
  rows: {
    triggers(): (typeof alertTriggers.$inferSelect)[];
    messages(): (typeof outbox.$inferSelect)[];
    states(): (typeof alertStates.$inferSelect)[];
  };
};

export type AlertStageOptions = {
  clock?: FakeClock;
  source?: HandSourceTraits;
  needs?: Partial<AlertEngineNeeds>;
  /** Chats of every user. */
  destinations?: ReturnType<AlertEngineNeeds['destinations']>;
};

const TELEGRAM = { platform: 'telegram', chatId: '4711' } as const;

function insertMessages(db: Db, now: number, messages: readonly EngineMessage[]): void {
  for (const message of messages) {
    const times = { createdAt: now, dueAt: now };
    const stored = 'note' in message ? { note: message.note } : message.message;
    db.insert(outbox)
      .values({ ...message, ...times, message: stored, nonce: crypto.randomUUID(), status: 'waiting' })
      .run();
  }
}

/** What is stored of an alert besides its keys. */
const toColumns = ({ destinations, id: _id, ...alert }: Partial<Alert>) => ({ ...alert, ...destinations });

/** The alert engine on a market, a clock and a database in memory; the test gives the prices. */
export function createAlertStage(options: AlertStageOptions = {}): AlertStage {
  const clock = options.clock ?? createFakeClock();
  const db = openMemoryDb();
  const lines: LogLine[] = [];
  const log = createLog((line) => lines.push(line));
  const source = createHandSource(clock, options.source);
  const fired: Trigger[] = [];
  const stopped: StoppedAlert[] = [];
  const catalog = builtInCatalog();
  let woken = 0;
  let market = createMarket({ clock: source.clock, days: source.days });
  db.insert(users).values({ username: 'a', usernameKey: 'a', passwordHash: '-', createdAt: 0 }).run();
  const adjustments = watchOf({ db, clock, log, source }, () => market);

  function createEngine(): AlertEngine {
    const needs: AlertEngineNeeds = {
      market,
      adjustments: source.days === 'independent' ? NO_ADJUSTMENTS : adjustments,
      destinations: () => options.destinations ?? [TELEGRAM],
      events: { guarding: () => [], now: () => clock.now() },
      outbox: {
        add: (messages) => insertMessages(db, clock.now(), messages),
        wake: () => {
          woken += 1;
        },
      },
      noteOf: ({ symbol }, { name, stoppedReason, note, isUntilOpen = false }, { label }) => ({
        title: `${symbol} fired`,
        name,
        stoppedReason,
        label,
        note,
        isUntilOpen,
      }),
      catalog: () => catalog,
      scansOf: () => NO_SCANS,
      stopped: (list) => stopped.push(...list),
      ...options.needs,
    };
    const made = new AlertEngine({ db, clock, log, source }, needs);
    made.listen((triggers) => fired.push(...triggers));
    return made;
  }

  const stage: AlertStage = {
    db,
    clock,
    market,
    source,
    engine: createEngine(),
    fired,
    stopped,
    lines,
    catalog,
    woken: () => woken,
    add(input) {
      const times = { createdAt: clock.now(), updatedAt: clock.now() };
      const chosen = {
        symbol: 'BHP',
        name: null,
        active: true,
        persistent: false,
        destinations: { telegram: true, discord: false, devices: [] },
        ...input,
      };
      const row = db
        .insert(alerts)
        .values({ userId: 1, ...times, ...chosen, ...chosen.destinations })
        .returning()
        .get();
      stage.engine.put(toAlert(row));
      return toAlert(row);
    },
    change(id, change) {
      const row = db.update(alerts).set(toColumns(change)).where(eq(alerts.id, id)).returning().get();
      stage.engine.put(toAlert(row));
      return toAlert(row);
    },
    alert(id) {
      const row = db.select().from(alerts).where(eq(alerts.id, id)).get();
      return row && toAlert(row);
    },
    tick(...updates) {
      clock.advance(1000);
      const { refused } = market.apply(updates);
      adjustments.applied(updates.map(({ code }) => code));
      if (refused.length > 0) throw new Error(JSON.stringify(refused));
      const changes = market.flush();
      stage.engine.onChanges(changes);
      return changes;
    },
    kill() {
      const before = market;
      market = createMarket({ clock: source.clock, days: source.days });
      market.apply([...before.all().values()].map(({ preOpen: _, ...stock }) => stock));
      stage.market = market;
      stage.engine = createEngine();
      stage.engine.resume();
    },
    refuseWrites(isRefusing) {
      db.$client.run(`PRAGMA query_only = ${isRefusing ? 1 : 0}`);
    },
    rows: {
      triggers: () => db.select().from(alertTriggers).all(),
      messages: () => db.select().from(outbox).all(),
      states: () => db.select().from(alertStates).all(),
    },
  };
  return stage;
}
