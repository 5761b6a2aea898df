import { type FactStore, factStore } from '#platform/db/facts.ts';
import type { App } from '#platform/app.ts';
import { IN, type Membership, NEW, OUT } from '#subjects/alerts/rules/scanAlerts/membership.ts';
import { FirstFailure } from '#lib/log.ts';
import { WriteBehind } from '#lib/writeBehind.ts';
import type { ScanEngineStore, ScanState } from './store.ts';
import type { Watch } from './types.ts';
import type { Watches } from './watches.ts';

/** How long a change waits for others, in ms. */
const SAVE_AFTER_MS = 1000;
/** Per tick, about 500 bytes each: a thousand changed scans take two minutes. Triggers show recent moves too. */
const MAX_SAVED = 8;
const CODES_KEY = 'scan_alert_codes';

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

export class MemberSaver {
  /** Unsaved scans, saved in a transaction with triggers (`write`, then `written`) or alone. */
  readonly behind: WriteBehind<Watch>;
  private readonly facts: FactStore;
  private savedCodes = 0;

  constructor(
    private readonly app: App,
    private readonly store: ScanEngineStore,
    private readonly watches: Watches,
    private readonly session: () => string,
  ) {
    const { clock, db } = app;
    const log = app.log.child('scanAlerts');
    this.facts = factStore(db);
    this.behind = new WriteBehind<Watch>({
      clock,
      atOnce: MAX_SAVED,
      write: (some) => {
        store.inTransaction(() => this.write(some));
        this.savedCodes = this.watches.stocks.codes().length;
      },
      failure: new FirstFailure(log, 'Could not save which stocks are in watched scans; trying again'),
    });
  }

  add(watch: Watch): void {
    this.behind.note(watch, SAVE_AFTER_MS);
  }

  /** Writes the states of scans. Call it in a transaction. */
  write(some: readonly Watch[]): void {
    if (some.length === 0) return;
    const { app, session, store, watches } = this;
    const codes = watches.stocks.codes();
    if (codes.length !== this.savedCodes) this.facts.write(CODES_KEY, codes);
    const lastTriggerId = store.newestTrigger();
    for (const { hash, slot } of some) {
      const row = { scanHash: hash, source: app.source.name, session: session(), lastTriggerId };
      store.saveState({ ...row, members: pack(watches, slot, codes.length) });
    }
  }

  written(some: readonly Watch[]): void {
    this.savedCodes = this.watches.stocks.codes().length;
    this.behind.written(some);
  }

  /** Restores the numbers of stocks. Call it before any stock has a number. */
  activateCodes(): void {
    const codes = this.facts.read(CODES_KEY);
    if (!Array.isArray(codes)) return;
    for (const code of codes) if (typeof code === 'string') this.watches.stocks.of(code);
    this.savedCodes = codes.length;
  }

  restore(watch: Watch, { members }: Pick<ScanState, 'members'>): void {
    const { watches } = this;
    for (const { number } of watches.stocks.all()) {
      watches.members.set(watch.slot, number, memberOf(members, number));
    }
  }
}
