import { eq } from 'drizzle-orm';
import { outbox, scanAlerts, scanAlertTriggers, scanStates } from '#src/tables/alertSchema.ts';
import type { SavedScan } from '#subjects/conditions/rules/savedScan.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import type { ScanAlert } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { GUARD_MS, type FilterEvent } from '#subjects/alerts/rules/eventFilter.ts';
import { ScanEngine } from '#subjects/alerts/server/scanAlerts/engine/engine.ts';
import type { ScanEngineMessage, Written } from '#subjects/alerts/server/scanAlerts/engine/types.ts';
import { alertOf } from '#subjects/alerts/server/ownRows.ts';
import { createAlertGround } from './alertGround.ts';
import type { HandSourceTraits } from './handSource.ts';
import { appOf, standIn } from './appOf.ts';

/** The database row of a scan alert created with the given differences only. */
const USUAL = {
  userId: 1,
  name: null,
  scan: { type: 'scan', id: 1, name: 'Breakouts' },
  event: 'enters',
  scope: 'market',
  cooldownMinutes: 30,
  dayMaximum: 3,
  minuteMaximum: 5,
  active: true,
  telegram: true,
  discord: false,
  createdAt: 0,
  updatedAt: 0,
} as const;

export type NewScanAlert = Partial<typeof scanAlerts.$inferInsert>;

/** A scan that a test’s user saved. */
export const aScan = (logic: SavedScan['logic'], change: Partial<SavedScan> = {}): SavedScan => ({
  id: 1,
  name: 'Breakouts',
  logic,
  lists: null,
  problem: null,
  ...change,
});

/** The engine of scan alerts on a market, a clock and a database in memory; the test sets the prices. */
export function createScanAlertFixture(options: { source?: HandSourceTraits; scans?: SavedScan[] } = {}) {
  const ground = createAlertGround(undefined, options.source);
  const { db, clock } = ground.parts;
  const scans = options.scans ?? [];
  const watchlist: string[] = [];
  const fired: Written[] = [];
  const events: FilterEvent[] = [];
  const catalog = builtInCatalog();

  const createEngine = (): ScanEngine =>
    new ScanEngine(
      appOf({
        ...ground.parts,
        config: { publicUrl: null },
        market: standIn(ground.market()),
        values: { adjustments: ground.adjustments },
        chatsOf: () => [{ platform: 'telegram', chatId: '4711' }],
        announcements: { sink: standIn({ note: () => {} }) },
        outbox: {
          add(messages) {
            const times = { createdAt: clock.now(), dueAt: clock.now(), status: 'waiting' } as const;
            for (const message of messages as readonly ScanEngineMessage[]) {
              db.insert(outbox)
                .values({ ...message, ...times, nonce: crypto.randomUUID() })
                .run();
            }
            return [];
          },
          wake: () => {},
        },
        indicators: {
          catalog: standIn({ current: () => catalog }),
          scansOf: () => (id) => scans.find((scan) => scan.id === id) ?? null,
        },
        watchlist: { symbols: () => watchlist },
        calendar: {
          highEvents: {
            guarding: () => events.filter(({ at }) => Math.abs(at - clock.now()) <= GUARD_MS),
            now: () => clock.now(),
          },
        },
      }),
      (written) => fired.push(...written),
    );

  const fixture = {
    db,
    clock,
    scans,
    watchlist,
    fired,
    /** The calendar’s HIGH impact events. */
    events,
    engine: createEngine(),
    market: ground.market,
    /** Stores an alert and passes it to the engine. */
    add(input: NewScanAlert = {}): ScanAlert {
      const row = db
        .insert(scanAlerts)
        .values({ ...USUAL, ...input })
        .returning()
        .get();
      fixture.engine.put(alertOf(row));
      return alertOf(row);
    },
    change(id: number, change: NewScanAlert): void {
      const values = { updatedAt: clock.now(), ...change };
      fixture.engine.put(
        alertOf(db.update(scanAlerts).set(values).where(eq(scanAlerts.id, id)).returning().get()),
      );
    },
    /** One second of the market: a batch, then a tick. */
    tick(...updates: StockUpdate[]): void {
      fixture.engine.onChanges(ground.second(updates));
    },
    /** Ends the engine abruptly, as kill -9 does, and creates a new one on the same database. */
    kill(): void {
      ground.giveAgain();
      fixture.engine = createEngine();
      fixture.engine.resume();
    },
    refuseWrites: ground.refuseWrites,
    triggers: () => db.select().from(scanAlertTriggers).all(),
    /** The notified stocks, with a digest as a list. */
    symbols: () => fixture.triggers().map(({ symbol, symbols }) => symbol ?? symbols),
    messages: () => db.select().from(outbox).all(),
    states: () => db.select().from(scanStates).all(),
  };
  fixture.engine.resume();
  return fixture;
}

export type ScanAlertFixture = ReturnType<typeof createScanAlertFixture>;
