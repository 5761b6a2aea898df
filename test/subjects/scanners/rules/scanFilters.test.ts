import { describe, expect, test } from 'bun:test';
import { OPEN_FILTERS, passesFilters } from '../../../../src/subjects/scanners/rules/filters.ts';
import {
  checkScanFilters,
  filtersOfScan,
  filtersText,
  isSameFilters,
  keptFilters,
  scanLines,
  type ScanFilters,
  USUAL_FILTERS,
} from '../../../../src/subjects/scanners/rules/scanFilters.ts';
import { emptyStock } from '../../../../src/market/rules/stock.ts';

const MINING = { id: 4, name: 'Mining' };
const EVERY: ScanFilters = {
  ...{ minValue: 50_000, priceGroup: 'oneOrOver', gaps: 'down', sensitiveOnly: true },
  ...{ securities: 'shares', text: 'gold', lists: [MINING] },
};
const checked = (sent: unknown, scanner: 'preMarket' | 'intraDaySmall' = 'preMarket') =>
  checkScanFilters(scanner, sent, [MINING]);

describe('the filters of an alert on a scanner', () => {
  test('are those of the filter bar, and filter as it does', () => {
    const onScreen = { ...OPEN_FILTERS, minValue: 9000, text: ' gold ', newsOnly: true, lists: [4] };
    const kept = keptFilters(onScreen, [MINING]);
    expect(kept).toEqual({ minValue: 9000, newsOnly: true, text: 'gold', lists: [MINING] });
    const stock = { ...emptyStock('AAX'), name: 'Gold Mines', value: 10_000, sensitiveAnnouncements: 1 };
    expect(passesFilters(stock, filtersOfScan(kept), '2026-11-27')).toBe(true);
    for (const other of [{ name: 'Iron' }, { value: 8000 }, { sensitiveAnnouncements: 0 }]) {
      expect(passesFilters({ ...stock, ...other }, filtersOfScan(kept), '2026-11-27')).toBe(false);
    }
  });

  test('are said in words, each of them', () => {
    expect(scanLines('preMarket', EVERY)).toEqual([
      'In the pre-open, with a gap down',
      'Price of $1 or over',
      'Shares only, no funds',
      'With price-sensitive news today',
      'Code starts with, or name contains, “gold”',
      'On my list “Mining”',
      'At least $50,000 match value',
    ]);
    expect(filtersText('intraDaySmall', USUAL_FILTERS)).toBeNull();
    expect(filtersText('intraDaySmall', { minValue: 0, newsOnly: true })).toBe('with news today, any value');
  });

  test('are checked: what is read again is the same, and the usual ones are none', () => {
    expect(checked(EVERY)).toEqual({ ok: true, value: EVERY });
    expect(checked({ ...EVERY, lists: [4] })).toEqual({ ok: true, value: EVERY });
    expect(checked(USUAL_FILTERS)).toEqual({ ok: true, value: null });
    expect(checked(undefined)).toEqual({ ok: true, value: null });
    expect(isSameFilters(EVERY, { ...EVERY, lists: [{ id: 4, name: 'Ore' }] })).toBe(true);
    for (const wrong of [
      { minValue: -1 },
      { minValue: Number.NaN },
      { priceGroup: 'cheap' },
      { gaps: 'up' },
      { securities: 'bonds' },
      { text: 'x'.repeat(81) },
      { newsOnly: 'yes' },
      { lists: [5] },
      { lists: [] },
      'all',
    ]) {
      expect(checked(wrong).ok).toBe(false);
    }
    expect(checked({ priceGroup: 'underOne' }, 'intraDaySmall').ok).toBe(false);
    expect(checked({ gaps: 'down' }, 'intraDaySmall').ok).toBe(false);
  });
});
