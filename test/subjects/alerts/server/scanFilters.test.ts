import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { ScanFilters } from '#market/scanners/rules/filters.ts';
import { allOf, field, number } from '#support/conditions.ts';
import { aScan, createScanAlertFixture } from '#support/scanAlertFixture.ts';

let fixture: ReturnType<typeof createScanAlertFixture>;
beforeEach(() => {
  fixture = createScanAlertFixture();
});
afterEach(() => fixture.db.$client.close());

const alertWith = (filters?: ScanFilters) =>
  fixture.add({ scan: { type: 'scanner', key: 'intraDayMidLarge', ...(filters && { filters }) } });
/** The stocks for which each alert fired. */
const fired = () => fixture.fired.map(({ trigger }) => `${trigger.scanAlertId} ${trigger.symbol}`).sort();
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
  fixture.watchlist.push('CCX');
  const trade = (last: number) =>
    fixture.tick(
      stock('AAX', last, { name: 'Trust' }),
      stock('BBX', last, { name: 'Gold Mines', value: 4_000_000 }),
      stock('CCX', last, { name: 'Iron', sensitiveAnnouncements: 1 }),
    );
  trade(1.9);
  trade(2.2);
  expect(fired()).toEqual(
    [
      ...['AAX', 'BBX', 'CCX'].map((code) => `${usual.id} ${code}`),
      `${sensitive.id} CCX`,
      `${gold.id} BBX`,
      `${listed.id} CCX`,
    ].sort(),
  );
});

test('an alert on a filtered saved scan fires only for stocks that pass the filters, and shows them', () => {
  fixture.scans.push(aScan(allOf({ lhs: field('last'), op: '>', rhs: number(2) })));
  const scan = { type: 'scan', id: 1, name: 'Breakouts' } as const;
  const plain = fixture.add({ scan });
  const filtered = fixture.add({ scan: { ...scan, filters: { minValue: 3_000_000, sensitiveOnly: true } } });
  const rising = fixture.add({ scan: { ...scan, filters: { minValue: 0, minChange: 15 } } });
  const listed = fixture.add({ scan: { ...scan, filters: { minValue: 0, lists: 'all' } } });
  fixture.watchlist.push('CCX');
  const trade = (last: number) =>
    fixture.tick(
      stock('AAX', last),
      stock('BBX', last, { value: 4_000_000, sensitiveAnnouncements: 1 }),
      stock('CCX', last * 1.1),
    );
  trade(1.7);
  trade(2.2);
  expect(fired()).toEqual(
    [
      ...['AAX', 'BBX', 'CCX'].map((code) => `${plain.id} ${code}`),
      `${filtered.id} BBX`,
      `${rising.id} CCX`,
      `${listed.id} CCX`,
    ].sort(),
  );
  const seenBy = ({ id }: { id: number }) =>
    fixture.fired
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
  fixture = createScanAlertFixture({ source: { ignoreStatus: () => true } });
  const { id } = alertWith();
  fixture.add({ scan: { type: 'scanner', key: 'intraDayMidLarge' }, event: 'leaves' });
  fixture.tick(stock('AAX', 1.9));
  fixture.tick(stock('AAX', 2.2));
  fixture.tick({ code: 'AAX', status: 'Halted' });
  fixture.tick({ code: 'AAX', status: 'Pre Open', match_price: 2.3, match_vol: 1_000_000 });
  expect(fixture.engine.inScan(id)).toBe(1);
  fixture.clock.advance(3_600_000);
  fixture.tick({ code: 'AAX', status: 'Open' });
  expect(fired()).toEqual([`${id} AAX`]);
});
