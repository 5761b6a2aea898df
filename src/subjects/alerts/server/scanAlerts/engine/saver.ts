import { type FactStore, factStore } from '../../../../../platform/db/facts.ts';
import type { Db } from '../../../../../platform/db/open.ts';
import { IN, type Membership, NEW, OUT } from '../../../rules/scanAlerts/membership.ts';
import type { Stopwatch } from '../../../../../lib/clock.ts';
import type { Log } from '../../../../../lib/log.ts';
import type { ScanEngineStore, ScanState } from './store.ts';
import type { Watch } from './types.ts';
import type { Watches } from './watches.ts';

/** A change waits so long for others. */
const SAVE_AFTER_MS = 1000;
/**
 * In one tick, some 500 bytes each, so that a thousand scans of which all change take two minutes: what was told is known
 * of its trigger besides.
 */
const MAX_SAVED = 8;
const CODES_KEY = 'scan_alert_codes';

/** Two bits a stock. */
function pack({ members }: Watches, scan: number, stocks: number): Buffer {
  const packed = Buffer.alloc(Math.ceil(stocks / 4));
  for (let number = 0; number < stocks; number += 1) {
    const at = number >> 2;
    packed[at] = (packed[at] ?? 0) | (members.get(scan, number) << ((number & 3) * 2));
  }
  return packed;
}

const MEMBERSHIPS: readonly Membership[] = [NEW, OUT, IN];

const memberOf = (packed: Uint8Array, number: number): Membership =>
  MEMBERSHIPS[((packed[number >> 2] ?? 0) >> ((number & 3) * 2)) & 3] ?? NEW;

export type ScanSaverDeps = {
  db: Db;
  clock: Stopwatch;
  log: Log;
  store: ScanEngineStore;
  watches: Watches;
  source: string;
  session(): string;
};

/** Writes which stocks stand in which scan. */
export function createScanSaver({ db, clock, log, store, watches, source, session }: ScanSaverDeps) {
  const facts: FactStore = factStore(db);
  const dirty = new Set<Watch>();
  let since: number | null = null;
  let savedCodes = 0;
  let isFailing = false;

  /** To be called within a transaction. */
  function write(some: readonly Watch[]): void {
    if (some.length === 0) return;
    const codes = watches.stocks.codes();
    if (codes.length !== savedCodes) facts.write(CODES_KEY, codes);
    const lastTriggerId = store.newestTrigger();
    for (const { hash, slot } of some) {
      const row = { scanHash: hash, source, session: session(), lastTriggerId };
      store.saveState({ ...row, members: pack(watches, slot, codes.length) });
    }
  }

  /** What was written is on disk. */
  function done(some: readonly Watch[]): void {
    if (some.length === 0) return;
    savedCodes = watches.stocks.codes().length;
    for (const watch of some) dirty.delete(watch);
    since = dirty.size === 0 ? null : since;
    isFailing = false;
  }

  const isDue = (): boolean => since !== null && clock.monotonic() - since >= SAVE_AFTER_MS;
  const due = (): Watch[] => (isDue() ? [...dirty.values().take(MAX_SAVED)] : []);

  function save(some: readonly Watch[]): void {
    if (some.length === 0) return;
    try {
      store.inTransaction(() => write(some));
      done(some);
    } catch (error) {
      if (!isFailing) log.error('Who stands in watched scans could not be saved; trying again', { error });
      isFailing = true;
    }
  }

  return {
    add(watch: Watch): void {
      dirty.add(watch);
      since ??= clock.monotonic();
    },
    drop: (watch: Watch): void => void dirty.delete(watch),
    /** What is to be saved now: with what fired, by `write` within its transaction and `done` after it, or else by itself. */
    due,
    write,
    done,
    saveDue: (): void => save(due()),
    saveAll: (): void => save([...dirty]),

    /** Gives the stocks the numbers that they had. To be called before any has one. */
    takeUpCodes(): void {
      const codes = facts.read(CODES_KEY);
      if (!Array.isArray(codes)) return;
      for (const code of codes) if (typeof code === 'string') watches.stocks.of(code);
      savedCodes = codes.length;
    },
    restore(watch: Watch, { members }: Pick<ScanState, 'members'>): void {
      for (const { number } of watches.stocks.all())
        watches.members.set(watch.slot, number, memberOf(members, number));
    },
  };
}

export type ScanSaver = ReturnType<typeof createScanSaver>;
