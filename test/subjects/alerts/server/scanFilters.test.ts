import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { ScanFilters } from '#market/scanners/rules/filters.ts';
import { allOf, field, number } from '#support/conditions.ts';
import { aScan, createScanAlertFixture } from '#support/scanAlertFixture.ts';

let stage: ReturnType<typeof createScanAlertFixture>;
beforeEach(() => {
  stage = createScanAlertFixture();
});
afterEach(() => stage.db.$client.close());

const alertWith = (filters?: ScanFilters) =>
  stage.add({ scan: { type: 'scanner', key: 'intraDayMidLarge', ...(filters && { filters }) } });
/** The stocks for which each alert fired. */
const told = () => stage.told.map(({ trigger }) => `${trigger.scanAlertId} ${trigger.symbol}`).sort();
const stock = (code: string, last: number, more: object = {}) => ({
  code,
  last,
  open: 2,
  close: 2,
  volume: 1_000_000,
  value: 2_000_000,
  status: 'Open' as const,
  ...more,
});

test('an alert on a filtered scanner fires only for stocks that pass its filters', () => {
  const usual = alertWith();
  const sensitive = alertWith({ minValue: 5000, sensitiveOnly: true });
  const gold = alertWith({ minValue: 3_000_000, text: 'gold' });
  const listed = alertWith({ minValue: 5000, lists: 'all' });
  stage.watchlist.push('CCX');
  const trade = (last: number) =>
    stage.tick(
      stock('AAX', last, { name: 'Trust' }),
      stock('BBX', last, { name: 'Gold Mines', value: 4_000_000 }),
      stock('CCX', last, { name: 'Iron', sensitiveAnnouncements: 1 }),
    );
  trade(1.9);
  trade(2.2);
  expect(told()).toEqual(
    [
      ...['AAX', 'BBX', 'CCX'].map((code) => `${usual.id} ${code}`),
      `${sensitive.id} CCX`,
      `${gold.id} BBX`,
      `${listed.id} CCX`,
    ].sort(),
  );
});

test('an alert on a filtered saved scan fires only for stocks that pass the filters, and shows them', () => {
  stage.scans.push(aScan(allOf({ lhs: field('last'), op: '>', rhs: number(2) })));
  const scan = { type: 'scan', id: 1, name: 'Breakouts' } as const;
  const plain = stage.add({ scan });
  const filtered = stage.add({ scan: { ...scan, filters: { minValue: 3_000_000, sensitiveOnly: true } } });
  const rising = stage.add({ scan: { ...scan, filters: { minValue: 0, minChange: 15 } } });
  const listed = stage.add({ scan: { ...scan, filters: { minValue: 0, lists: 'all' } } });
  stage.watchlist.push('CCX');
  const trade = (last: number) =>
    stage.tick(
      stock('AAX', last),
      stock('BBX', last, { value: 4_000_000, sensitiveAnnouncements: 1 }),
      stock('CCX', last * 1.1),
    );
  trade(1.7);
  trade(2.2);
  expect(told()).toEqual(
    [
      ...['AAX', 'BBX', 'CCX'].map((code) => `${plain.id} ${code}`),
      `${filtered.id} BBX`,
      `${rising.id} CCX`,
      `${listed.id} CCX`,
    ].sort(),
  );
  const seenBy = ({ id }: { id: number }) =>
    stage.told
      .find(({ trigger }) => trigger.scanAlertId === id)
      ?.trigger.seen.map(({ left, holds }) => `${left.text} ${left.value} ${holds}`);
  expect(seenBy(plain)).toEqual(['Last 2.2 true']);
  expect(seenBy(filtered)).toEqual([
    'Last 2.2 true',
    'Price-Sensitive Announcement Today 1 true',
    'Value 4000000 true',
  ]);
});

test('if the market’s scanners ignore the status, a stock stays in its scan through the auction after a halt', () => {
  stage = createScanAlertFixture({ source: { ignoreStatus: () => true } });
  const { id } = alertWith();
  stage.add({ scan: { type: 'scanner', key: 'intraDayMidLarge' }, event: 'leaves' });
  stage.tick(stock('AAX', 1.9));
  stage.tick(stock('AAX', 2.2));
  stage.tick({ code: 'AAX', status: 'Halted' });
  stage.tick({ code: 'AAX', status: 'Pre Open', match_price: 2.3, match_vol: 1_000_000 });
  expect(stage.engine.inScan(id)).toBe(1);
  stage.clock.advance(3_600_000);
  stage.tick({ code: 'AAX', status: 'Open' });
  expect(told()).toEqual([`${id} AAX`]);
});
