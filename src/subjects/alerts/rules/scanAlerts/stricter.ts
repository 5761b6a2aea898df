import { formatNumber } from '#texts/format.ts';
import { TOO_OFTEN } from '../rehearsal.ts';
import type { ScanAlertInput } from './scanAlert.ts';
import { filtersOf } from './scanAlertText.ts';
import type { ScanRehearsal, StricterScan } from './scanTrigger.ts';

/** What is tried, the least strict first: percent up on the day, and AUD traded. */
const CHANGES = [1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50];
const VALUES = [20_000, 50_000, 100_000, 250_000, 500_000, 1e6, 2.5e6, 5e6, 10e6, 25e6, 50e6];

type Choice = Pick<ScanAlertInput, 'scan' | 'dayMaximum'>;
type Limit = Pick<StricterScan, 'kind' | 'limit'>;

/** How often a backtested alert fires in a trading day, on average. */
export const perDay = ({ fired, days }: Pick<ScanRehearsal, 'fired' | 'days'>): number =>
  days === 0 ? 0 : fired / days;

export const isTooOften = (found: Pick<ScanRehearsal, 'fired' | 'days'>): boolean =>
  perDay(found) > TOO_OFTEN;

/** The limits that would make an alert stricter, in the order in which they are preferred. */
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

/** An alert with a stricter limit. */
export const withStricter = <T extends Choice>(alert: T, { kind, limit }: Limit): T =>
  kind === 'dayMaximum'
    ? { ...alert, dayMaximum: limit }
    : { ...alert, scan: { ...alert.scan, filters: { ...filtersOf(alert.scan), [kind]: limit } } };

/**
 * The first that fires often enough to be of use and no longer too often; else the one that fires least, if it at least
 * halves what there is now. One that would never have fired is of no use.
 * @param tried in the order in which they are preferred
 */
export function bestStricter(now: number, tried: readonly StricterScan[]): StricterScan | null {
  const firing = tried.filter((one) => one.perDay > 0);
  const enough = firing.find((one) => one.perDay <= TOO_OFTEN);
  if (enough) return enough;
  const [least] = firing.toSorted((one, other) => one.perDay - other.perDay);
  return least && least.perDay <= now / 2 ? least : null;
}

/** What a stricter limit asks, as a button says it. */
export function stricterText({ kind, limit }: Limit): string {
  if (kind === 'dayMaximum') return 'Fire once a day per stock';
  return kind === 'minChange'
    ? `Only if up at least ${limit}%`
    : `Only if at least $${formatNumber(limit, 0)} traded`;
}
