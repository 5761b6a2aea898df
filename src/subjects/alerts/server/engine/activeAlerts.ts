import { type FiringState, NEW } from '#subjects/alerts/rules/firingState.ts';
import type { DeviceChoice } from '#subjects/devices/rules/device.ts';
import { type Alert, destinationsOf, NOWHERE } from '#subjects/alerts/rules/alert.ts';
import type { EventFilter } from '#subjects/alerts/rules/eventFilter.ts';
import { startOf, STOCK_OPTIONS } from '#subjects/alerts/answers/options.ts';
import type { DayMemory } from '#subjects/alerts/rules/dayMemory.ts';
import { OperandColumns } from '#subjects/alerts/rules/operandColumns.ts';
import { Program, type Span } from '#subjects/alerts/rules/program.ts';
import { isUntilOpen } from '#subjects/alerts/rules/alertState.ts';
import { logicKey, type ScansOf } from '#subjects/conditions/rules/savedScan.ts';
import type { IgnoresStatus } from '#subjects/conditions/rules/scanFields.ts';
import type { StoppedAlert } from './types.ts';

/**
 * An alert in memory; the program has its conditions. Members that every evaluation reads come first, so that they are
 * close in memory.
 */
export type ActiveAlert = {
  firingState: FiringState;
  /** True if the alert fired and its trigger is not on disk yet; it is not evaluated until then. */
  isWaiting: boolean;
  /** True after a jump of the replay: the next evaluation does not fire. */
  isPriming: boolean;
  /** Time of the last evaluation with a result, epoch ms by the market's clock; null before the first. */
  evaluatedAt: number | null;
  /** End of the undo window, ms of the monotonic clock; see `arming.ts`. */
  armAt: number;
  readonly first: number;
  readonly count: number;
  readonly hasCrossings: boolean;
  readonly readsAuction: boolean;
  readonly readsHalt: boolean;
  readonly id: number;
  readonly symbolAlerts: SymbolAlerts;
  readonly isUntilOpen: boolean;
  index: number;
  /** Hash of symbol and logic. A stored state with another hash is not valid. */
  readonly logicHash: number;
  userId: number;
  version: number;
  name: string | null;
  note: string | null;
  /** Epoch ms by the market's clock. */
  expiresAt: number | null;
  /** Epoch ms by the wall clock, as stored. */
  armedAt: number | null;
  /** True if the alert was already true and is not evaluated until its undo window ends. */
  isPending: boolean;
  /** Conditions and state when the alert was last active; null for none. */
  former: { logicHash: number; firingState: FiringState } | null;
  persistent: boolean;
  telegram: boolean;
  discord: boolean;
  devices: DeviceChoice;
  snoozedUntil: number | null;
  lastTriggeredAt: number | null;
  guard: EventFilter | null;
  cooldownMinutes: number;
  urgent: boolean;
  /** End of the cooldown, ms of the monotonic clock. */
  coolUntil: number;
  /** True if the alert was changed, removed or switched off; objects that still refer to it must ignore it. */
  isGone: boolean;
};

/** Whether an alert's state may be written: it exists, and none of its triggers is pending. */
export const isWritable = ({ isGone, isWaiting }: ActiveAlert): boolean => !isGone && !isWaiting;

/** The columns that a stock's alerts read, with the number of readers. */
export class ReadColumns {
  private readonly readers = new Map<number, number>();
  all: readonly number[] = [];

  /** @param by 1 for a new reader, −1 for a removed one */
  count(columns: readonly number[], by: 1 | -1): void {
    for (const column of columns) {
      const readers = (this.readers.get(column) ?? 0) + by;
      if (readers > 0) this.readers.set(column, readers);
      else this.readers.delete(column);
    }
    if (this.all.length !== this.readers.size) this.all = [...this.readers.keys()];
  }
}

export type SymbolAlerts = {
  readonly symbol: string;
  readonly entries: ActiveAlert[];
  readonly reads: ReadColumns;
  readonly days: DayMemory;
};

/**
 * A hash below 2 ** 52 of an alert's symbol and logic, with the conditions of its saved scans.
 * @param text the logic as JSON
 */
export function hashLogic({ userId, symbol, logic }: Alert, text: string, scansOf: ScansOf): number {
  const asked = text.includes('"type":"scan"') ? logicKey(logic, scansOf(userId)) : text;
  return hashText(`${symbol} ${asked}`);
}

/** A hash below 2 ** 52. */
export const hashText = (text: string): number => Number(BigInt.asUintN(52, BigInt(Bun.hash(text))));

// Sets all members in one place, because a hundred thousand entries must share one shape.
const newEntry = (
  alert: Alert,
  symbolAlerts: SymbolAlerts,
  span: Span,
  { logicHash, isUntilOpen }: Pick<ActiveAlert, 'logicHash' | 'isUntilOpen'>,
): ActiveAlert => ({
  firingState: NEW,
  isWaiting: false,
  isPriming: false,
  evaluatedAt: null,
  armAt: Number.NEGATIVE_INFINITY,
  first: span.first,
  count: span.count,
  hasCrossings: span.hasCrossings,
  readsAuction: span.readsAuction,
  readsHalt: span.readsHalt,
  id: alert.id,
  symbolAlerts,
  isUntilOpen,
  index: symbolAlerts.entries.length,
  logicHash,
  userId: alert.userId,
  version: alert.version,
  name: alert.name,
  note: alert.note,
  expiresAt: alert.expiresAt,
  armedAt: alert.armedAt,
  isPending: false,
  former: null,
  persistent: alert.persistent,
  telegram: alert.destinations.telegram,
  discord: alert.destinations.discord,
  devices: alert.destinations.devices,
  snoozedUntil: alert.snoozedUntil,
  lastTriggeredAt: alert.lastTriggeredAt,
  guard: alert.guard,
  cooldownMinutes: alert.cooldownMinutes,
  urgent: alert.urgent,
  coolUntil: Number.NEGATIVE_INFINITY,
  isGone: false,
});

/** The alerts in memory by id and symbol, with their compiled conditions. */
export class ActiveAlerts {
  readonly columns: OperandColumns;
  readonly program: Program;
  private readonly byId = new Map<number, ActiveAlert>();
  private readonly bySymbol = new Map<string, SymbolAlerts>();

  constructor(
    private readonly scansOf: ScansOf,
    ignoreStatus: IgnoresStatus,
  ) {
    this.columns = new OperandColumns(ignoreStatus);
    this.program = new Program(this.columns);
  }

  get(id: number): ActiveAlert | undefined {
    return this.byId.get(id);
  }

  symbolAlerts(symbol: string): SymbolAlerts | undefined {
    return this.bySymbol.get(symbol);
  }

  all(): MapIterator<ActiveAlert> {
    return this.byId.values();
  }

  allSymbols(): MapIterator<SymbolAlerts> {
    return this.bySymbol.values();
  }

  /** Compiles an alert; `get` then returns it instead of an older form. */
  add(alert: Alert, logicHash: number): ActiveAlert {
    const symbolAlerts = this.alertsOf(alert.symbol);
    const scanOf = this.scansOf(alert.userId);
    const span = this.program.add(alert.logic, scanOf);
    const entry = newEntry(alert, symbolAlerts, span, {
      logicHash,
      isUntilOpen: isUntilOpen(alert.logic, scanOf),
    });
    this.byId.set(alert.id, entry);
    symbolAlerts.entries.push(entry);
    symbolAlerts.reads.count(this.program.columnsOf(span), 1);
    return entry;
  }

  remove(entry: ActiveAlert): void {
    entry.isGone = true;
    if (this.byId.get(entry.id) === entry) this.byId.delete(entry.id);
    const { symbolAlerts } = entry;
    const { entries } = symbolAlerts;
    const last = entries.pop();
    if (last && last !== entry) {
      entries[entry.index] = last;
      last.index = entry.index;
    }
    symbolAlerts.reads.count(this.program.columnsOf(entry), -1);
    this.program.remove(entry);
    if (entries.length === 0) this.bySymbol.delete(symbolAlerts.symbol);
  }

  counts(): { alerts: number; symbols: number; scans: number } {
    return { alerts: this.byId.size, symbols: this.bySymbol.size, scans: this.columns.scanCount() };
  }

  /** Entries for the inspector: without conditions, and without `book`, which contains the stock's other alerts. */
  *shown(): Iterable<unknown> {
    for (const entry of this.byId.values()) {
      const {
        id,
        userId,
        symbolAlerts,
        name,
        version,
        persistent,
        lastTriggeredAt,
        snoozedUntil,
        isWaiting,
      } = entry;
      const { symbol } = symbolAlerts;
      yield { id, userId, symbol, name, version, persistent, lastTriggeredAt, snoozedUntil, isWaiting };
    }
  }

  private alertsOf(symbol: string): SymbolAlerts {
    const known = this.bySymbol.get(symbol);
    if (known) return known;
    const symbolAlerts = {
      symbol,
      entries: [],
      reads: new ReadColumns(),
      days: { quote: null, prior: null },
    };
    this.bySymbol.set(symbol, symbolAlerts);
    return symbolAlerts;
  }
}

/** Applies changes that keep the conditions and therefore the state. */
export function changeEntry(entry: ActiveAlert, alert: Alert): void {
  entry.userId = alert.userId;
  entry.version = alert.version;
  entry.name = alert.name;
  entry.note = alert.note;
  entry.expiresAt = alert.expiresAt;
  entry.persistent = alert.persistent;
  entry.telegram = alert.destinations.telegram;
  entry.discord = alert.destinations.discord;
  entry.devices = alert.destinations.devices;
  entry.snoozedUntil = alert.snoozedUntil;
  entry.lastTriggeredAt = alert.lastTriggeredAt;
  entry.guard = alert.guard;
  entry.cooldownMinutes = alert.cooldownMinutes;
  entry.urgent = alert.urgent;
}

export const stoppedAlert = (entry: ActiveAlert, reason: string | null): StoppedAlert => ({
  id: entry.id,
  userId: entry.userId,
  symbol: entry.symbolAlerts.symbol,
  name: entry.name,
  active: false,
  persistent: entry.persistent,
  destinations: destinationsOf(entry),
  version: entry.version,
  lastTriggeredAt: entry.lastTriggeredAt,
  snoozedUntil: entry.snoozedUntil,
  stoppedReason: reason,
  note: entry.note,
  expiresAt: entry.expiresAt,
  armedAt: entry.armedAt,
  guard: entry.guard,
  cooldownMinutes: entry.cooldownMinutes,
  urgent: entry.urgent,
});

export const NOBODYS: Omit<Alert, 'userId' | 'symbol' | 'logic'> = {
  ...startOf(STOCK_OPTIONS),
  id: 0,
  active: true,
  destinations: NOWHERE,
  version: 0,
  lastTriggeredAt: null,
  snoozedUntil: null,
  stoppedReason: null,
  armedAt: null,
};
