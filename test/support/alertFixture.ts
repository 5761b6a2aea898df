import { eq } from 'drizzle-orm';
import { alertStates, alerts, alertTriggers, outbox } from '#src/tables/alertSchema.ts';
import type { Alert, AlertInput } from '#subjects/alerts/rules/alert.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { NO_SCANS, type ScansOf } from '#subjects/conditions/rules/savedScan.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { AlertEngine } from '#subjects/alerts/server/engine/engine.ts';
import type {
  AlertEngineListener,
  EngineMessage,
  StoppedAlert,
} from '#subjects/alerts/server/engine/types.ts';
import { alertOf } from '#subjects/alerts/server/ownRows.ts';
import { createAlertGround } from './alertGround.ts';
import type { FakeClock } from './testApp.ts';
import { appOf, type Given, standIn } from './appOf.ts';

/** The stored members of an alert without its keys. */
const toColumns = ({ destinations, id: _id, ...alert }: Partial<Alert>) => ({ ...alert, ...destinations });

/** The alert engine on a market, a clock and a database in memory; the test sets the prices. */
export function createAlertFixture(
  options: {
    clock?: FakeClock;
    given?: Given;
    scansOf?: ScansOf;
    arming?: AlertEngineListener['arming'];
  } = {},
) {
  const ground = createAlertGround(options.clock);
  const { db, clock, source } = ground.parts;
  const fired: Trigger[] = [];
  const stopped: StoppedAlert[] = [];
  const catalog = builtInCatalog();
  let woken = 0;

  function createEngine(): AlertEngine {
    const app = appOf({
      ...ground.parts,
      market: standIn(ground.market()),
      values: { adjustments: ground.adjustments },
      chatsOf: () => [{ platform: 'telegram', chatId: '4711' }],
      calendar: { highEvents: { guarding: () => [], now: () => clock.now() } },
      announcements: { sink: standIn({ note: () => {} }) },
      indicators: {
        catalog: standIn({ current: () => catalog }),
        scansOf: options.scansOf ?? (() => NO_SCANS),
      },
      outbox: {
        add(messages) {
          const rest = { createdAt: clock.now(), dueAt: clock.now(), status: 'waiting' } as const;
          for (const message of messages as readonly EngineMessage[]) {
            const stored = 'note' in message ? { note: message.note } : message.message;
            const nonce = crypto.randomUUID();
            db.insert(outbox)
              .values({ ...message, ...rest, message: stored, nonce })
              .run();
          }
          return [];
        },
        wake: () => void (woken += 1),
      },
      ...options.given,
    });
    const { arming } = options;
    const made = new AlertEngine(app, {
      stopped: (list) => stopped.push(...list),
      ...(arming && { arming }),
    });
    made.listen((triggers) => fired.push(...triggers));
    return made;
  }

  const fixture = {
    db,
    clock,
    source,
    market: ground.market(),
    engine: createEngine(),
    /** Every trigger passed to listeners. */
    fired,
    /** Alerts that were stopped without having fired. */
    stopped,
    lines: ground.lines,
    /** The number of times the outbox was woken. */
    woken: () => woken,
    /** Stores an alert and passes it to the engine, as the routes do. */
    add(input: Partial<AlertInput & Pick<Alert, 'armedAt' | 'snoozedUntil'>> & { logic: Logic }): Alert {
      const row = db
        .insert(alerts)
        .values({
          userId: 1,
          createdAt: clock.now(),
          updatedAt: clock.now(),
          symbol: 'BHP',
          name: null,
          active: true,
          persistent: false,
          telegram: true,
          discord: false,
          devices: [],
          ...input,
        })
        .returning()
        .get();
      fixture.engine.put(alertOf(row));
      return alertOf(row);
    },
    change(id: number, change: Partial<Alert>): Alert {
      const row = db.update(alerts).set(toColumns(change)).where(eq(alerts.id, id)).returning().get();
      fixture.engine.put(alertOf(row));
      return alertOf(row);
    },
    alert(id: number): Alert | undefined {
      const row = db.select().from(alerts).where(eq(alerts.id, id)).get();
      return row && alertOf(row);
    },
    /** One second of the market: a batch, then a tick. */
    tick(...updates: StockUpdate[]) {
      const changes = ground.second(updates);
      fixture.engine.onChanges(changes);
      return changes;
    },
    /** Ends the engine abruptly, as kill -9 does, and creates a new one on the same database. */
    kill(): void {
      ground.giveAgain();
      fixture.market = ground.market();
      fixture.engine = createEngine();
      fixture.engine.resume();
    },
    refuseWrites: ground.refuseWrites,
    rows: {
      triggers: () => db.select().from(alertTriggers).all(),
      messages: () => db.select().from(outbox).all(),
      states: () => db.select().from(alertStates).all(),
    },
  };
  return fixture;
}

export type AlertFixture = ReturnType<typeof createAlertFixture>;
