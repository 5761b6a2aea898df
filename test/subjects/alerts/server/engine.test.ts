import { describe, expect, test } from 'bun:test';
import type { StockUpdate } from '../../../../src/market/rules/stock.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { allOf, anyOf, field, is, LAST, RSI } from '../../../support/conditions.ts';
import { aScan, createScanAlertStage } from '../../../support/scanAlertStage.ts';

const over50 = aScan(allOf(is(LAST, '>', 50)));
const trade = (code: string, last: number, more: Partial<StockUpdate> = {}): StockUpdate => ({
  code,
  status: 'Open',
  last,
  ...more,
});
const codes = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `S${String(from + index).padStart(2, '0')}`);

describe('an alert on a whole scan', () => {
  test('fires for every stock that enters, says which and why, and not for those that are in it already', () => {
    const stage = createScanAlertStage({ scans: [over50] });
    stage.tick(trade('BHP', 51), trade('CBA', 40), trade('RIO', 40));
    stage.add();
    stage.tick(trade('BHP', 52));
    stage.tick(trade('CBA', 50.5));
    stage.tick(trade('RIO', 49));
    expect(stage.symbols()).toEqual(['CBA']);
    const [message] = stage.messages();
    expect(message?.message).toMatchObject({
      title: 'CBA 50.50',
      lines: ['Entered my scan Breakouts · 11:00 Sydney', 'last 50.50 above 50.00', 'By hand'],
      buttons: [
        { action: 'scanmute', label: 'Not this stock today' },
        { action: 'scansnooze' },
        { action: 'scanoff' },
        { action: 'scanwhy' },
      ],
    });
    expect(stage.told.map(({ trigger }) => trigger.symbol)).toEqual(['CBA']);
  });

  test('on leaving fires for what was in it, with the condition that holds no more', () => {
    const stage = createScanAlertStage({ scans: [over50] });
    stage.tick(trade('BHP', 51), trade('CBA', 40));
    stage.add({ event: 'leaves' });
    stage.tick(trade('BHP', 51), trade('CBA', 40));
    stage.tick(trade('BHP', 49), trade('CBA', 51));
    stage.tick(trade('CBA', 39));
    expect(stage.symbols()).toEqual(['BHP', 'CBA']);
    expect(stage.messages()[0]?.message).toMatchObject({
      lines: ['Left my scan Breakouts · 11:00 Sydney', 'No: last 49.00 above 50.00', 'By hand'],
    });
  });

  test('on my list looks at the watchlist as it stands', () => {
    const stage = createScanAlertStage({ scans: [over50] });
    stage.tick(trade('BHP', 40), trade('CBA', 40), trade('RIO', 40));
    stage.watchlist.push('BHP');
    stage.add({ scope: 'watchlist' });
    stage.tick();
    stage.tick(trade('BHP', 51), trade('CBA', 51));
    stage.watchlist.push('RIO');
    stage.engine.listChanged(1);
    stage.tick(trade('RIO', 51));
    expect(stage.symbols()).toEqual(['BHP', 'RIO']);
  });

  test('on a scanner follows its rule, with the values seen', () => {
    const stage = createScanAlertStage();
    const penny = { close: 0.5, open: 0.5, high: 0.56, low: 0.49, vwap: 0.5, value: 3000, volume: 6000 };
    stage.tick(trade('ABC', 0.55, penny));
    stage.add({ scan: { type: 'scanner', key: 'intraDaySmall' } });
    stage.tick();
    stage.tick(trade('ABC', 0.55, { value: 6000, volume: 11_000 }));
    expect(stage.symbols()).toEqual(['ABC']);
    expect(stage.messages()[0]?.message).toMatchObject({
      lines: [
        'Entered Intra-Day < $1 Scan · 11:00 Sydney',
        'Change % 10.0 % at or above 0',
        'open 0.500 below 1.000',
        'value 6,000 at or above 5,000',
        'By hand',
      ],
    });
  });

  test('an unknown value, a halt and a silent source decide nothing', () => {
    const stage = createScanAlertStage({ scans: [aScan(allOf(is(RSI, '>', 70)))] });
    stage.add();
    const rsi = (now: number) => ({ indicators: { '60': { rsi_14: { now } } } });
    stage.tick(trade('BHP', 40));
    stage.tick(trade('BHP', 41, rsi(75)));
    expect(stage.symbols()).toEqual([]);
    stage.tick(trade('BHP', 41, rsi(60)));
    stage.tick({ code: 'BHP', status: 'Halted', ...rsi(80) });
    expect(stage.symbols()).toEqual([]);
    stage.tick(trade('BHP', 41, rsi(80)));
    expect(stage.symbols()).toEqual(['BHP']);
  });

  test('a stock that has not traded today is in no scan of the day’s figures, so its first trade enters', () => {
    const stage = createScanAlertStage({ scans: [aScan(allOf(is(field('change_percent'), '>', 3)))] });
    stage.tick({ code: 'BHP', status: 'Pre Open', close: 40 });
    stage.add();
    stage.tick();
    stage.tick(trade('BHP', 42, { close: 40 }));
    expect(stage.symbols()).toEqual(['BHP']);
  });

  test('a day with the figures of the one before enters a scan if its quotes were made on it', () => {
    const scan = aScan(allOf(is(LAST, '>', 0.002), is(field('volume'), '>', 4000)));
    const stage = createScanAlertStage({ scans: [scan] });
    const at = (date: string, hour: number, minute: number) =>
      stage.clock.advance(fromSydney(date, hour, minute) - stage.clock.now() - 1000);
    const parcel = {
      status: 'Open',
      last: 0.003,
      open: 0.003,
      high: 0.003,
      low: 0.003,
      volume: 5000,
    } as const;
    stage.add();
    at('2026-11-23', 11, 0);
    stage.tick({ code: 'SAM', ...parcel, volume: 4000 }, { code: 'TOM', ...parcel, volume: 4000 });
    stage.tick({ code: 'SAM', ...parcel }, { code: 'TOM', ...parcel });
    expect(stage.symbols()).toEqual(['SAM', 'TOM']);

    at('2026-11-24', 7, 30);
    stage.tick({ code: 'SAM', status: 'Pre Open' }, { code: 'TOM', status: 'Pre Open' });
    at('2026-11-24', 11, 0);
    // Nothing says when the figures of TOM were made: they may be left over from the day before.
    const quoteTime = fromSydney('2026-11-24', 11, 0);
    stage.tick({ code: 'SAM', ...parcel, quoteTime }, { code: 'TOM', ...parcel });
    expect(stage.symbols()).toEqual(['SAM', 'TOM', 'SAM']);
  });

  test('a crossing in a scan is an entering in the moment of it, each time', () => {
    const crossing = aScan(allOf(is(LAST, 'crosses_above', 50), is(field('volume'), '>', 10)));
    const stage = createScanAlertStage({ scans: [crossing] });
    stage.add({ cooldownMinutes: 1 });
    stage.tick(trade('BHP', 49, { volume: 100 }));
    stage.tick(trade('BHP', 51, { volume: 110 }));
    stage.tick(trade('BHP', 52, { volume: 120 }));
    expect(stage.symbols()).toEqual(['BHP']);
    stage.clock.advance(60_000);
    stage.tick(trade('BHP', 49, { volume: 130 }));
    stage.tick(trade('BHP', 51, { volume: 140 }));
    expect(stage.symbols()).toEqual(['BHP', 'BHP']);
    expect(stage.triggers()[1]?.seen[0]?.left).toEqual({ text: 'Last', value: 51, before: 49 });
  });

  test('compares two values with each other, and groups', () => {
    const either = aScan(allOf(anyOf(is(LAST, '>', field('open')), is(field('volume'), '>', 1000))));
    const stage = createScanAlertStage({ scans: [either] });
    stage.add({ cooldownMinutes: 1 });
    stage.tick(trade('BHP', 40, { open: 41, volume: 10 }), trade('CBA', 40, { open: 41, volume: 10 }));
    stage.tick(trade('BHP', 41.5, { volume: 20 }), trade('CBA', 40, { volume: 1001 }));
    expect(stage.symbols().toSorted()).toEqual(['BHP', 'CBA']);
  });

  test('equal scans are watched once, whoever’s they are', () => {
    const scans = [over50, aScan(allOf(is(LAST, '>', 50)), { id: 2, name: 'Over fifty' })];
    const stage = createScanAlertStage({ scans });
    stage.add();
    stage.add({ scan: { type: 'scan', id: 2, name: 'Over fifty' } });
    stage.add({ event: 'leaves' });
    expect(stage.engine.counts()).toMatchObject({ alerts: 3, scans: 1 });
    stage.tick(trade('BHP', 40));
    stage.tick(trade('BHP', 51));
    expect(stage.triggers().map(({ scanLabel }) => scanLabel)).toEqual([
      'my scan Breakouts',
      'my scan Over fifty',
    ]);
    stage.change(1, { active: false });
    stage.engine.remove(2);
    expect(stage.engine.counts()).toMatchObject({ alerts: 1, scans: 1 });
    stage.engine.remove(3);
    expect(stage.engine.counts()).toMatchObject({ alerts: 0, scans: 0 });
  });

  test('a split, and a market taken to another moment, are no entering', () => {
    const stage = createScanAlertStage({ scans: [over50] });
    stage.add();
    stage.tick(trade('BHP', 40), trade('CBA', 40));
    const { session } = { session: stage.market().date() };
    stage.engine.jump();
    stage.tick(trade('CBA', 51));
    expect(stage.symbols()).toEqual([]);
    stage.clock.advance(24 * 3_600_000);
    expect(stage.market().date()).not.toBe(session);
    // One for five: four times the price is no rise.
    stage.tick(trade('BHP', 200, { close: 200 }));
    expect(stage.symbols()).toEqual([]);
  });

  test('after an edit of its scan begins afresh, and the edit alone fires nothing', () => {
    const stage = createScanAlertStage({ scans: [over50] });
    const { id } = stage.add();
    stage.tick(trade('BHP', 40), trade('CBA', 20));
    stage.scans[0] = aScan(allOf(is(LAST, '>', 30)));
    stage.change(id, {});
    stage.tick(trade('BHP', 41));
    expect(stage.symbols()).toEqual([]);
    stage.tick(trade('CBA', 31));
    expect(stage.symbols()).toEqual(['CBA']);
    stage.scans.length = 0;
    stage.change(id, {});
    expect([stage.engine.counts().alerts, stage.engine.inScan(id)]).toEqual([0, null]);
  });
});

describe('the limits of a scan alert', () => {
  test('a stock is told again only after its cooldown, and so often a day', () => {
    const stage = createScanAlertStage({ scans: [over50] });
    stage.add({ cooldownMinutes: 10, dayMaximum: 2 });
    // Another price each time: the very figures of yesterday are taken for yesterday's.
    let price = 51;
    const enter = () => {
      price += 0.01;
      stage.tick(trade('BHP', 40));
      stage.tick(trade('BHP', price));
    };
    enter();
    enter();
    expect(stage.symbols()).toHaveLength(1);
    stage.clock.advance(10 * 60_000);
    enter();
    stage.clock.advance(10 * 60_000);
    enter();
    expect(stage.symbols()).toHaveLength(2);
    stage.clock.advance(24 * 3_600_000);
    enter();
    expect(stage.symbols()).toHaveLength(3);
  });

  test('beyond a minute’s maximum one message sums up; the busiest have their own', () => {
    const stage = createScanAlertStage({ scans: [over50] });
    stage.add({ minuteMaximum: 2 });
    const all = codes(6);
    stage.tick(...all.map((code) => trade(code, 40)));
    stage.tick(...all.slice(0, 4).map((code, index) => trade(code, 51, { value: (index + 1) * 1000 })));
    stage.tick(...all.slice(4).map((code) => trade(code, 51)));
    expect(stage.messages().map(({ message }) => 'title' in message && message.title)).toEqual([
      'S03 51.00',
      'S02 51.00',
    ]);
    stage.clock.advance(60_000);
    stage.tick();
    expect(stage.messages()).toHaveLength(3);
    expect(stage.messages()[2]?.message).toMatchObject({
      title: '4 more stocks entered',
      lines: ['Entered my scan Breakouts · 11:00 Sydney', 'S01, S00, S04 and S05', 'By hand'],
    });
    expect(stage.symbols()).toEqual(['S03', 'S02', ['S01', 'S00', 'S04', 'S05']]);
  });

  test('snoozed it lists and sends nothing; a stock that is not to be told today is not', () => {
    const stage = createScanAlertStage({ scans: [over50] });
    const { id } = stage.add({ snoozedUntil: Number.MAX_SAFE_INTEGER });
    stage.engine.muted(id, ['CBA']);
    stage.tick(trade('BHP', 40), trade('CBA', 40));
    stage.tick(trade('BHP', 51), trade('CBA', 51));
    expect(stage.triggers()).toMatchObject([{ symbol: 'BHP', silent: true }]);
    expect(stage.messages()).toEqual([]);
  });
});
