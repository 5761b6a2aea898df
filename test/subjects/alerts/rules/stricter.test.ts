import { expect, test } from 'bun:test';
import type { WatchedScan } from '../../../../src/subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { aDayText } from '../../../../src/subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import {
  bestStricter,
  isTooOften,
  stricterLimits,
  stricterText,
  withStricter,
} from '../../../../src/subjects/alerts/rules/scanAlerts/stricter.ts';
import type { ScanFilters } from '../../../../src/subjects/scanners/rules/scanFilters.ts';

const SCANNER: WatchedScan = { type: 'scanner', key: 'intraDaySmall' };
const change = (limit: number, perDay: number) => ({ kind: 'minChange' as const, limit, perDay });

test('more than 20 firings in a trading day are too many', () => {
  expect(isTooOften({ fired: 400, days: 20 })).toBe(false);
  expect(isTooOften({ fired: 401, days: 20 })).toBe(true);
  expect(isTooOften({ fired: 0, days: 0 })).toBe(false);
});

test('tries only what is stricter than the alert', () => {
  const limits = stricterLimits({ scan: SCANNER, dayMaximum: 3 });
  expect(limits[0]).toEqual({ kind: 'dayMaximum', limit: 1 });
  const filters = { minValue: 1e6, minChange: 20 };
  const kinds = stricterLimits({ scan: { ...SCANNER, filters }, dayMaximum: 1 });
  expect(kinds.filter(({ kind }) => kind === 'minChange').map(({ limit }) => limit)).toEqual([30, 50]);
  expect(kinds.find(({ kind }) => kind === 'minValue')?.limit).toBe(2.5e6);
  expect(kinds.some(({ kind }) => kind === 'dayMaximum')).toBe(false);
});

test('keeps the filters that the alert has', () => {
  const filters: ScanFilters = { minValue: 0, text: 'gold' };
  const stricter = withStricter(
    { scan: { ...SCANNER, filters }, dayMaximum: 3 },
    { kind: 'minChange', limit: 5 },
  );
  expect(stricter).toEqual({ scan: { ...SCANNER, filters: { ...filters, minChange: 5 } }, dayMaximum: 3 });
  expect(
    withStricter({ scan: SCANNER, dayMaximum: 3 }, { kind: 'minValue', limit: 1e6 }).scan.filters,
  ).toEqual({ minValue: 1e6 });
  expect(withStricter({ scan: SCANNER, dayMaximum: 3 }, { kind: 'dayMaximum', limit: 1 }).dayMaximum).toBe(1);
});

test('prefers the least strict that is enough, and takes none that would never fire', () => {
  expect(bestStricter(600, [change(1, 90), change(2, 19), change(3, 4)])).toEqual(change(2, 19));
  expect(bestStricter(600, [change(1, 90), change(2, 0)])).toEqual(change(1, 90));
  expect(bestStricter(600, [change(1, 400), change(2, 0)])).toBeNull();
  expect(bestStricter(600, [])).toBeNull();
});

test('is said in words', () => {
  expect([0.04, 0.5, 1.2, 602.3].map(aDayText)).toEqual([
    'less than once in 10 days',
    'about 5 times in 10 days',
    'about once a day',
    'about 602 times a day',
  ]);
  expect(stricterText(change(7.5, 1))).toBe('Only if up at least 7.5%');
  expect(stricterText({ kind: 'minValue', limit: 250_000 })).toBe('Only if at least $250,000 traded');
  expect(stricterText({ kind: 'dayMaximum', limit: 1 })).toBe('Fire once a day per stock');
});
