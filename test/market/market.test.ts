import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type LogLine, createLog } from '#lib/log.ts';
import { derive, mergeUpdate } from '#market/derive.ts';
import { createMarket } from '#market/market.ts';
import { ObservedMarket } from '#market/observed.ts';
import { applyDelta, type Delta } from '#market/rules/stream.ts';
import { type Stock, type StockUpdate, emptyStock } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { ChangeSet } from '#market/types.ts';

const DAY = '2026-11-19';

const at = (hour: number, minute = 0, second = 0, date = DAY): { time: number; now(): number } => ({
  time: fromSydney(date, hour, minute, second),
  now() {
    return this.time;
  },
});

const deltaOf = (changes: ChangeSet): Delta => ({
  stocks: { upsert: changes.upsert, delete: changes.delete },
  meta: { stockCount: 0 },
  fx: { upsert: {}, delete: [], lastUpdated: null },
});

const open = (code: string, fields: Partial<StockUpdate> = {}): StockUpdate => ({
  code,
  status: 'Open',
  close: 1,
  ...fields,
});

describe('derived members', () => {
  /** Values of these members of a stock after each update. */
  const after = (members: (keyof Stock)[], ...updates: Partial<StockUpdate>[]) => {
    const market = createMarket({ clock: at(11) });
    market.apply([open('AAA')]);
    return updates.map((update) => {
      market.apply([{ code: 'AAA', ...update }]);
      return members.map((member) => market.get('AAA')?.[member]);
    });
  };

  test('follow from the source’s values', () => {
    expect(
      after(
        ['change', 'change_percent', 'value', 'match_value', 'indicativeChangePercent', 'marketCapCategory'],
        { last: 1.1, vwap: 1.05, volume: 100_001, marketCap: 1e9, match_price: 1.2 },
        { match_vol: 50, marketCap: 999_999_999 },
      ),
    ).toEqual([
      [0.1, 10, 105_001, null, 20, 'large'],
      [0.1, 10, 105_001, 60, 20, 'mid'],
    ]);
  });

  test('are null, not 0, if something is unknown', () => {
    const members = ['last', 'change', 'change_percent', 'value', 'open'] as const;
    expect(after([...members], { last: 1, close: null }, { close: 2 }, { last: null })).toEqual([
      [1, null, null, null, null],
      [1, -1, -50, null, null],
      [null, null, null, null, null],
    ]);
  });

  test('traded value uses VWAP, or the last price if VWAP is unknown, unless the source sends it', () => {
    const given = after(['value'], { last: 0.002, volume: 4e6 }, { vwap: 0.0025 }, { last: 0.003 });
    expect(given.flat()).toEqual([8000, 10_000, 10_000]);
    const stated = after(['value'], { value: 500, vwap: 2, volume: 1000 }, { volume: 2000 }, { value: null });
    expect(stated.flat()).toEqual([500, 500, 4000]);
  });

  test('the day’s range follows a last price sent without other fields', () => {
    const ranges = after(['high', 'low'], { last: 1, high: 1.1, low: 0.9 }, { last: 1.2 }, { last: 0.8 });
    expect(ranges.slice(1)).toEqual([
      [1.2, 0.9],
      [1.2, 0.8],
    ]);
  });

  test('a stock without its own status has the session’s until its source sends one', () => {
    const clock = at(9, 30);
    const market = createMarket({ clock });
    market.apply([{ code: 'AAA', close: 1 }, open('BBB'), { code: 'CCC', close: 1 }]);
    expect(market.get('AAA')?.status).toBe('Pre Open');
    clock.time = fromSydney(DAY, 11, 0);
    market.apply([{ code: 'CCC', status: 'Halted' }]);
    clock.time = fromSydney(DAY, 16, 15);
    const changes = market.flush();
    expect(market.get('AAA')?.status).toBe('Post Close');
    expect(market.get('BBB')?.status).toBe('Open');
    expect(market.get('CCC')?.status).toBe('Halted');
    expect(changes?.upsert.AAA?.status).toBe('Post Close');
  });
});

describe('impossible values', () => {
  const known: StockUpdate = open('AAA', { last: 1, high: 1.1, low: 0.9, volume: 10 });
  const impossible: Record<string, Partial<Record<keyof StockUpdate, unknown>>> = {
    'a negative price': { last: -1 },
    'a price of zero': { match_price: 0 },
    NaN: { vwap: Number.NaN },
    'a negative volume': { volume: -1 },
    'a number as text': { last: '1.02' },
    'high below low': { high: 0.5 },
    'a last far above the stated high': { last: 5, high: 1.1 },
    'a last far below the stated low': { last: 0.1, low: 0.9 },
    'an open above the stated high': { open: 1.08, high: 1.07, low: 0.9 },
    'a VWAP far above the known high': { vwap: 1.22 },
    'a VWAP far below the stated low': { vwap: 0.4, low: 0.5 },
    'an unknown status': { status: 'Sleeping' },
    'an indicator that is NaN': { indicators: { D: { RSI: { now: Number.NaN } } } },
  };
  for (const [what, fields] of Object.entries(impossible)) {
    test(`${what} is rejected, only that stock and as a whole`, () => {
      const market = createMarket({ clock: at(11) });
      market.apply([known]);
      market.flush();
      const before = market.get('AAA');
      const wrong = { code: 'AAA', open: 1.05, ...fields } as StockUpdate;
      const result = market.apply([open('BBB', { last: 2 }), wrong, open('CCC', { last: 3 })]);
      expect(result.applied).toBe(2);
      expect(result.refused.map(({ code }) => code)).toEqual(['AAA']);
      expect(result.refused[0]?.message).toMatch(/\.$/);
      expect(Object.keys(fields)).toContain(result.refused[0]?.field ?? '');
      expect(market.get('AAA')).toBe(before);
      expect(Object.keys(market.flush()?.upsert ?? {}).sort()).toEqual(['BBB', 'CCC']);
    });
  }

  test('a last price up to a tenth outside the stated range is accepted, and one further out is not', () => {
    const refusedOf = (last: number): number => {
      const market = createMarket({ clock: at(11) });
      return market.apply([open('AAA', { last, high: 10, low: 10 })]).refused.length;
    };
    expect([9, 11].map(refusedOf)).toEqual([0, 0]);
    expect([8.999, 11.001].map(refusedOf)).toEqual([1, 1]);
  });

  test('a range that excludes the known open is rejected unless the open is corrected or removed', () => {
    const answer = (range: Omit<StockUpdate, 'code'>) => {
      const market = createMarket({ clock: at(11) });
      market.apply([open('AAA', { open: 5.1, high: 50, low: 5, last: 5.1 })]);
      const { refused } = market.apply([open('AAA', range)]);
      return refused[0] ?? market.get('AAA')?.high;
    };
    expect(answer({ high: 5.05 })).toMatchObject({
      field: 'high',
      message: `open 5.1 is above the day's high 5.05. Send open too if it was corrected, or null if unknown.`,
    });
    expect(answer({ low: 5.2 })).toMatchObject({ field: 'low' });
    expect(answer({ high: 5.05, open: 5.02 })).toBe(5.05);
    expect(answer({ high: 5.05, open: null })).toBe(5.05);
    expect(answer({ high: 5.1 })).toBe(5.1);
  });

  test('an invalid code is rejected', () => {
    const market = createMarket({ clock: at(11) });
    const { refused } = market.apply([open('aaa'), open('__proto__'), open(''), open('ABC')]);
    expect(refused.length).toBe(3);
    expect([...market.all().keys()]).toEqual(['ABC']);
  });

  test('no accepted update creates a number JSON cannot carry or an inverted range', () => {
    const odd = fc.constantFrom(null, undefined, 0, -1, 0.001, 1, 2.5, 1e12, Number.NaN, 1 / 0);
    const figures = ['last', 'open', 'high', 'low', 'close', 'vwap', 'volume', 'match_price', 'match_vol'];
    const update = fc.record({
      code: fc.constantFrom('AAA', 'BBB'),
      ...Object.fromEntries(figures.map((name) => [name, odd])),
    });
    fc.assert(
      fc.property(fc.array(update, { maxLength: 30 }), (updates) => {
        const market = createMarket({ clock: at(11) });
        market.apply(updates as StockUpdate[]);
        for (const stock of market.all().values()) {
          expect(JSON.parse(JSON.stringify(stock))).toEqual(stock);
          if (stock.high !== null && stock.low !== null) expect(stock.high).toBeGreaterThanOrEqual(stock.low);
          if (stock.open !== null && stock.high !== null) expect(stock.open).toBeLessThanOrEqual(stock.high);
          if (stock.open !== null && stock.low !== null) expect(stock.open).toBeGreaterThanOrEqual(stock.low);
          for (const price of [stock.last, stock.close, stock.match_price]) {
            if (price !== null) expect(price).toBeGreaterThan(0);
          }
        }
      }),
    );
  });
});

describe('change sets', () => {
  test('contain only changed members, once per tick, and nothing if a value came back', () => {
    const market = createMarket({ clock: at(11) });
    market.apply([open('AAA', { last: 1 }), open('BBB', { last: 1 })]);
    expect(market.flush()?.seq).toBe(1);
    market.apply([{ code: 'AAA', last: 2 }]);
    market.apply([
      { code: 'AAA', last: 1.5 },
      { code: 'BBB', last: 3 },
    ]);
    market.apply([{ code: 'BBB', last: 1 }]);
    expect(market.flush()).toEqual({
      seq: 2,
      upsert: { AAA: { last: 1.5, change: 0.5, change_percent: 50 } },
      delete: [],
    });
    expect(market.flush()).toBeNull();
  });

  test('applied in order always give the market', () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('apply' as const),
        code: fc.constantFrom('AAA', 'BBB', 'CCC'),
        last: fc.constantFrom(null, 1, 2, 3),
        status: fc.constantFrom('Open' as const, 'Pre Open' as const),
        match_price: fc.constantFrom(null, 1.5),
      }),
      fc.record({ kind: fc.constant('remove' as const), code: fc.constantFrom('AAA', 'BBB', 'CCC') }),
      fc.record({ kind: fc.constant('flush' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const market = createMarket({ clock: at(11) });
        for (const event of steps) {
          if (event.kind === 'apply') market.apply([{ ...event, close: 1 }]);
          else if (event.kind === 'remove') market.remove([event.code]);
          else market.flush();
          if (event.kind === 'flush') continue;
          const seen = new Map([...market.flushed()].map((stock) => [stock.code, stock]));
          market.apply([{ code: 'AAA', close: 1 }]);
          const changes = market.flush();
          const result = changes ? applyDelta(seen, deltaOf(JSON.parse(JSON.stringify(changes)))) : seen;
          expect(new Map([...result].sort())).toEqual(new Map([...market.all()].sort()));
        }
      }),
    );
  });
});

describe('the pre-open snapshot', () => {
  const indicative = { match_price: 1.2, match_vol: 1000, buy_surplus: -50 };

  test('is the last indicative result before the first trade, even if the source clears it then', () => {
    const clock = at(9, 58);
    const market = createMarket({ clock });
    market.apply([open('AAA', { status: 'Pre Open', match_price: 1.1, match_vol: 10 })]);
    market.apply([{ code: 'AAA', ...indicative }]);
    expect(market.get('AAA')?.preOpen).toBeUndefined();
    clock.time = fromSydney(DAY, 10, 0);
    market.apply([{ code: 'AAA', status: 'Open', match_price: null, match_vol: null, buy_surplus: null }]);
    expect(market.get('AAA')?.preOpen?.snapshot).toEqual({
      capturedAt: new Date(clock.time).toISOString(),
      indicativeChangePercent: 20,
      match_value: 1200,
      ...indicative,
    });
  });

  test('is not taken without a match price, for a halt, or during the pre-open', () => {
    const market = createMarket({ clock: at(9, 30) });
    market.apply([
      open('AAA', { status: 'Pre Open' }),
      open('BBB', { status: 'Pre Open', ...indicative }),
      open('CCC', { status: 'Pre Open', ...indicative }),
    ]);
    market.apply([
      { code: 'AAA', status: 'Open' },
      { code: 'BBB', status: 'Halted' },
      { code: 'CCC', match_price: null },
    ]);
    for (const stock of market.all().values()) expect(stock.preOpen).toBeUndefined();
  });

  test('of a stock listed after the open is what its source sent for today', () => {
    const market = createMarket({ clock: at(11) });
    const stated = (hour: number, date = DAY) => ({
      capturedAt: new Date(fromSydney(date, hour, 0)).toISOString(),
      ...indicative,
    });
    market.restorePreOpen(
      DAY,
      new Map([['OLD', { ...stated(9), indicativeChangePercent: 1, match_value: 2 }]]),
    );
    market.apply([
      open('AAA', { status: 'Open', preOpen: stated(10) }),
      open('OLD', { status: 'Open', preOpen: stated(10) }),
      open('BBB', { status: 'Open', preOpen: stated(12) }),
      open('CCC', { status: 'Open', preOpen: stated(10, '2026-11-18') }),
      open('DDD', { status: 'Pre Open' }),
    ]);
    market.apply([{ code: 'DDD', preOpen: stated(10) }]);
    expect(market.get('AAA')?.preOpen?.snapshot).toEqual({
      ...stated(10),
      indicativeChangePercent: 20,
      match_value: 1200,
    });
    expect(market.get('OLD')?.preOpen?.snapshot.capturedAt).toBe(stated(9).capturedAt);
    for (const code of ['BBB', 'CCC', 'DDD']) expect(market.get(code)?.preOpen).toBeUndefined();
  });

  test('and old news are removed on a new market day', () => {
    const clock = at(9, 58);
    const market = createMarket({ clock });
    const day = {
      headline: 'x',
      summary: null,
      summary_generated_at: null,
      alerted: false,
      announcements: {},
    };
    const news = { '2026-11-17': day, '2026-11-18': day, '2026-11-19': day };
    market.apply([open('AAA', { status: 'Pre Open', news, sensitiveAnnouncements: 2, ...indicative })]);
    market.apply([{ code: 'AAA', status: 'Open' }]);
    market.flush();
    clock.time = fromSydney('2026-11-20', 7, 0);
    expect(market.flush()?.upsert.AAA).toEqual({
      preOpen: null,
      news: { '2026-11-17': null, '2026-11-18': null },
      sensitiveAnnouncements: null,
      status: 'Pre Open',
      indicativeChangePercent: null,
      match_price: null,
      match_vol: null,
      match_value: null,
      buy_surplus: null,
    });
    expect(market.date()).toBe('2026-11-20');
  });
});

const shown = (value: number | null, decimals: number): string =>
  value === null
    ? '—'
    : new Intl.NumberFormat('en-AU', {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      }).format(value);

/** Seven decimals, as providers send. Any closer to a half, binary fractions would decide. */
const amount = fc.integer({ min: 11_000, max: 4e12 }).map((parts) => parts / 1e7);
const price = fc.integer({ min: 1, max: 400_000 }).map((steps) => steps / 1000);

describe('shortened numbers', () => {
  test('are displayed like the full ones', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const sent = { vwap: value, relativeVolume: value, value, marketCap: value };
        const stock = mergeUpdate(emptyStock('AAA'), { code: 'AAA', ...sent });
        expect(shown(stock.vwap, 3)).toBe(shown(value, 3));
        expect(shown(stock.relativeVolume, 2)).toBe(shown(value, 2));
        expect(shown(stock.value, 0)).toBe(shown(value, 0));
        expect(shown(stock.marketCap, 0)).toBe(shown(value, 0));
      }),
    );
  });

  test('give the same displayed percentages', () => {
    fc.assert(
      fc.property(price, price, (last, close) => {
        const stock = mergeUpdate(emptyStock('AAA'), { code: 'AAA', last, close, match_price: last });
        derive(stock, {}, false);
        // In thousandths of a dollar the quotient is exact to the last binary digit.
        const percent =
          ((Math.round(last * 1000) - Math.round(close * 1000)) * 100) / Math.round(close * 1000);
        expect(shown(stock.change_percent, 1).replace('-0.0', '0.0')).toBe(
          shown(percent, 1).replace('-0.0', '0.0'),
        );
        expect(stock.indicativeChangePercent).toBe(stock.change_percent);
        expect(Object.is(stock.change_percent, -0)).toBe(false);
      }),
    );
  });

  test('do not affect traded value, which uses the full average', () => {
    const stock = mergeUpdate(emptyStock('AAA'), { code: 'AAA', vwap: 1.23456789, volume: 10_000_000 });
    derive(stock, { vwap: 1.23456789 }, false);
    expect(stock).toMatchObject({ vwap: 1.2345, value: 12_345_679 });
  });
});

describe('a quote older than the stock’s last one', () => {
  /** 11:00 in Sydney on Wednesday 18 November 2026. */
  const now = Date.UTC(2026, 10, 18, 0);

  function open() {
    const time = { now };
    const market = createMarket({ clock: { now: () => time.now } });
    market.apply([{ code: 'BHP', last: 40, high: 41, low: 39, volume: 100, quoteTime: now - 10_000 }]);
    return { market, time };
  }

  test('changes no price, only attributes of the stock', () => {
    const { market } = open();
    const late = { last: 50, high: 50, low: 30, volume: 900, match_price: 45 };
    const { applied } = market.apply([{ code: 'BHP', name: 'BHP GROUP', ...late, quoteTime: now - 10_001 }]);
    expect(applied).toBe(1);
    expect(market.get('BHP')).toMatchObject({
      name: 'BHP GROUP',
      last: 40,
      high: 41,
      low: 39,
      volume: 100,
    });
    expect(market.get('BHP')?.match_price).toBeNull();
    expect(market.statedQuoteTime('BHP')).toBe(now - 10_000);
  });
  test('counts as now if its time is in the future, so a wrong clock does not freeze the stock', () => {
    const { market, time } = open();
    market.apply([{ code: 'BHP', last: 42, quoteTime: now + 3_600_000 }]);
    expect(market.statedQuoteTime('BHP')).toBe(now);
    time.now += 1000;
    market.apply([{ code: 'BHP', last: 43, quoteTime: now + 500 }]);
    expect(market.get('BHP')?.last).toBe(43);
  });
});

test('a failing observer affects neither prices nor other observers, and costs one log line', () => {
  const lines: LogLine[] = [];
  const market = new ObservedMarket(
    { clock: at(11) },
    createLog((line) => lines.push(line)),
  );
  const breakDown = (): void => {
    throw new Error('broken observer');
  };
  let reached = 0;
  market.observe({ name: 'broken', applied: breakDown, removed: breakDown, beforeFlush: breakDown });
  market.observe({ name: 'sound', applied() {}, removed() {}, beforeFlush: () => void (reached += 1) });
  for (const last of [1, 2, 3]) {
    expect(market.apply([{ code: 'AAA', last }]).applied).toBe(1);
    expect(market.flush()?.upsert['AAA']?.last).toBe(last);
  }
  market.remove(['AAA']);
  expect(market.flush()?.delete).toEqual(['AAA']);
  expect(reached).toBe(4);
  expect(lines.map(({ level }) => level)).toEqual(['error']);
});
