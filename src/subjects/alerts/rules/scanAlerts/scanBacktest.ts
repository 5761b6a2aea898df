import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { formatNumber } from '#texts/format.ts';
import { TRUE, type Truth } from '../readiness.ts';
import { TOO_OFTEN } from '../backtest.ts';
import { IN, type Membership, membershipAfter, membershipNextDay, NEW, OUT, traitsOf } from './membership.ts';
import type { ScanAlertInput, ScanBacktest, StricterScan } from './scanAlert.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { filtersOf } from './scanAlertText.ts';
import { createMessageLimits, type MessageLimits } from './scanAlertRules.ts';

type ScanBacktestRules = Pick<ScanAlertInput, 'event' | 'cooldownMinutes' | 'dayMaximum'>;

export type BacktestedScan = ScanBacktestRules & {
  /** A checked scan: if it is a saved one, it exists and can be watched. */
  scan: WatchedScan;
  codes: readonly string[];
};

const MAX_NEWEST = 20;

/** Removes filters that daily bars cannot decide, because bars have no announcements. */
export function scanInBars<T extends WatchedScan>(scan: T): { scan: T; sentences: string[] } {
  if (!scan.filters?.newsOnly && !scan.filters?.sensitiveOnly) return { scan, sentences: [] };
  const { newsOnly: _, sensitiveOnly: __, ...filters } = scan.filters;
  return {
    scan: { ...scan, filters },
    sentences: [
      'Past bars don’t include announcements: that condition was left out, so this is the most the alert would fire.',
    ],
  };
}

const newestOf = (all: readonly { symbol: string; day: number }[]) =>
  all.toSorted((a, b) => b.day - a.day || (a.symbol < b.symbol ? -1 : 1)).slice(0, MAX_NEWEST);

/** Backtests a scan alert by the engine's rules, one stock at a time. */
export class ScanBacktestRun {
  private readonly byDay = new Map<number, number>();
  private readonly notified = new Set<string>();
  private newest: { symbol: string; day: number }[] = [];
  private fired = 0;
  private symbol = '';
  private traits = { readsDay: false, isMomentary: false };
  private member: Membership = NEW;
  private today = Number.NaN;
  private limits: MessageLimits = createMessageLimits();

  /** @param dateOf converts a day number to YYYY-MM-DD */
  constructor(
    private readonly rules: ScanBacktestRules,
    private readonly dateOf: (day: number) => string,
  ) {}

  begin(code: string, logic: Logic): void {
    this.symbol = code;
    this.traits = traitsOf(logic);
    this.member = NEW;
    this.today = Number.NaN;
  }

  /** Counts the result of one moment. @param at epoch ms @param day its day number */
  evaluate(truth: Truth, at: number, day: number): void {
    if (day !== this.today) this.beginDay(day);
    const before = this.member;
    const after = membershipAfter(before, truth, 'traded', this.traits);
    this.member = after;
    const isEvent =
      this.rules.event === 'enters'
        ? before === OUT && after === IN && truth === TRUE
        : before === IN && after === OUT;
    if (isEvent) this.fire(at, day);
  }

  /** @param notBacktested sentences about filters that were left out */
  result(notBacktested: readonly string[]): ScanBacktest {
    return {
      fired: this.fired,
      stocks: this.notified.size,
      days: this.byDay.size,
      busiestDay: Math.max(0, ...this.byDay.values()),
      newest: newestOf(this.newest).map(({ symbol, day }) => ({ symbol, date: this.dateOf(day) })),
      notRehearsed: [...notBacktested],
      stricter: null,
    };
  }

  private beginDay(day: number): void {
    this.member = this.traits.readsDay ? OUT : membershipNextDay(this.member, this.traits);
    this.limits = createMessageLimits();
    this.today = day;
    if (!this.byDay.has(day)) this.byDay.set(day, 0);
  }

  private fire(at: number, day: number): void {
    const { symbol } = this;
    const limits = { ...this.rules, minuteMaximum: Number.POSITIVE_INFINITY };
    if (this.limits.dispatch(symbol, at, limits) === 'held back') return;
    this.fired += 1;
    this.notified.add(symbol);
    this.byDay.set(day, (this.byDay.get(day) ?? 0) + 1);
    this.newest.push({ symbol, day });
    if (this.newest.length > 50 * MAX_NEWEST) this.newest = newestOf(this.newest);
  }
}

/** Limits to suggest, least strict first: percent up on the day, and AUD traded. */
const CHANGES = [1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50];
const VALUES = [20_000, 50_000, 100_000, 250_000, 500_000, 1e6, 2.5e6, 5e6, 10e6, 25e6, 50e6];

type Choice = Pick<ScanAlertInput, 'scan' | 'dayMaximum'>;
type Limit = Pick<StricterScan, 'kind' | 'limit'>;

export const perDay = ({ fired, days }: Pick<ScanBacktest, 'fired' | 'days'>): number =>
  days === 0 ? 0 : fired / days;

export const isTooOften = (found: Pick<ScanBacktest, 'fired' | 'days'>): boolean => perDay(found) > TOO_OFTEN;

export function stricterLimits({ scan, dayMaximum }: Choice): Limit[] {
  const { minChange = 0, minValue } = filtersOf(scan);
  const above = (kind: Limit['kind'], all: readonly number[], now: number): Limit[] =>
    all.flatMap((limit) => (limit > now ? [{ kind, limit }] : []));
  return [
    ...(dayMaximum > 1 ? [{ kind: 'dayMaximum', limit: 1 } as const] : []),
    ...above('minChange', CHANGES, minChange),
    ...above('minValue', VALUES, minValue),
  ];
}

export const withStricter = <T extends Choice>(alert: T, { kind, limit }: Limit): T =>
  kind === 'dayMaximum'
    ? { ...alert, dayMaximum: limit }
    : { ...alert, scan: { ...alert.scan, filters: { ...filtersOf(alert.scan), [kind]: limit } } };

/**
 * The stricter scan to suggest: the first one that fires, but not too often; otherwise the one that fires least, if it
 * at least halves the firings. One that never fires is useless.
 * @param tried in order of preference
 */
export function bestStricter(now: number, tried: readonly StricterScan[]): StricterScan | null {
  const firing = tried.filter((one) => one.perDay > 0);
  const enough = firing.find((one) => one.perDay <= TOO_OFTEN);
  if (enough) return enough;
  const [least] = firing.toSorted((one, other) => one.perDay - other.perDay);
  return least && least.perDay <= now / 2 ? least : null;
}

export function stricterText({ kind, limit }: Limit): string {
  if (kind === 'dayMaximum') return 'Fire once a day per stock';
  return kind === 'minChange'
    ? `Only if up at least ${limit}%`
    : `Only if at least $${formatNumber(limit, 0)} traded`;
}
