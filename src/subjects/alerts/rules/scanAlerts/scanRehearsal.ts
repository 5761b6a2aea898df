import { type Truth, TRUE } from '../truth.ts';
import type { Logic } from '../../../conditions/rules/condition.ts';
import { createFiringGuard, type FiringGuard } from './firingGuard.ts';
import { IN, type Membership, membershipAfter, membershipNextDay, NEW, OUT, traitsOf } from './membership.ts';
import type { ScanAlertInput, SharedScanner } from './scanAlert.ts';
import type { ScanRehearsal } from './scanTrigger.ts';

/** The limits and the event of the alert that is run. */
export type ScanRehearsalRules = Pick<ScanAlertInput, 'event' | 'cooldownMinutes' | 'dayMaximum'>;

/** An alert on a whole scan that is to be run over the past. */
export type RehearsedScan = ScanRehearsalRules & {
  logic: Logic;
  /** The scanner that it is; null for a saved scan. */
  scanner: SharedScanner | null;
  codes: readonly string[];
};

/** Runs one for a user. Its promise ends with an AppError 429 or 503 where it could not be run. */
export type RehearseScan = (userId: number, scan: RehearsedScan) => Promise<ScanRehearsal>;

/** Of the triggers that are listed. */
const MAX_NEWEST = 20;

/** Whether the bars of a day tell who stands in a scanner: not of the auction before the open. */
export const isInBarsOf = (scanner: SharedScanner): boolean => scanner !== 'preMarket';

/**
 * Runs an alert on a scan over the days of one stock after the other, by the rules of the engine.
 * @param dateOf the date of a day number, YYYY-MM-DD
 */
export function createScanRehearsal(rules: ScanRehearsalRules, dateOf: (day: number) => string) {
  const byDay = new Map<number, number>();
  const told = new Set<string>();
  let newest: { symbol: string; day: number }[] = [];
  let fired = 0;
  let symbol = '';
  let traits = { readsDay: false, isMomentary: false };
  let member: Membership = NEW;
  let today = Number.NaN;
  let guard: FiringGuard = createFiringGuard();
  const limits = { ...rules, minuteMaximum: Number.POSITIVE_INFINITY };

  function beginDay(day: number): void {
    member = traits.readsDay ? OUT : membershipNextDay(member, traits);
    guard = createFiringGuard();
    today = day;
    if (!byDay.has(day)) byDay.set(day, 0);
  }

  function fire(at: number, day: number): void {
    if (guard.deal(symbol, at, limits) === 'held back') return;
    fired += 1;
    told.add(symbol);
    byDay.set(day, (byDay.get(day) ?? 0) + 1);
    newest.push({ symbol, day });
    if (newest.length > 50 * MAX_NEWEST) newest = newestOf(newest);
  }

  return {
    /** The next stock. @param logic of the scan, as it is run */
    begin(code: string, logic: Logic): void {
      symbol = code;
      traits = traitsOf(logic);
      member = NEW;
      today = Number.NaN;
    },
    /** Whether the conditions hold at a moment. @param at epoch ms; @param day its day number */
    look(truth: Truth, at: number, day: number): void {
      if (day !== today) beginDay(day);
      const before = member;
      member = membershipAfter(before, truth, 'traded', traits);
      const isEvent =
        rules.event === 'enters'
          ? before === OUT && member === IN && truth === TRUE
          : before === IN && member === OUT;
      if (isEvent) fire(at, day);
    },
    /** @param notRehearsed sentences about what was left out */
    result: (notRehearsed: readonly string[]): ScanRehearsal => ({
      fired,
      stocks: told.size,
      days: byDay.size,
      busiestDay: Math.max(0, ...byDay.values()),
      newest: newestOf(newest).map((one) => ({ symbol: one.symbol, date: dateOf(one.day) })),
      notRehearsed: [...notRehearsed],
    }),
  };
}

const newestOf = (all: readonly { symbol: string; day: number }[]) =>
  all.toSorted((a, b) => b.day - a.day || (a.symbol < b.symbol ? -1 : 1)).slice(0, MAX_NEWEST);
