import { describe, expect, test } from 'bun:test';
import { createOverviews } from '#subjects/marketOverview/rules/overviews.ts';
import fc from 'fast-check';
import type { Stock } from '#market/rules/stock.ts';
import { belongsTo } from '#market/scanners/rules/membership.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { createDeltaQueue } from '#web/live/market.ts';
import { joinWithFirstWord, SharedStream } from '#web/live/stream/sharedStream.ts';
import {
  type FromWindow,
  type MarketState,
  packed,
  type ToWindow,
  unpacked,
  type Watch,
} from '#web/live/stream/protocol.ts';
import { KEPT_MS } from '#web/live/stream/view.ts';
import { aStock } from '#support/aStock.ts';
import { fakeSources, fakeTimers } from '#support/fakeEventSource.ts';
import { aDelta, aSnapshot } from '#support/market.ts';

const CODES = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'];

const watching = (watch: Partial<Watch>, version = 1): FromWindow => ({
  type: 'watch',
  watch: { all: false, codes: [], scanners: [], ...watch },
  version,
});

/** A stream in a worker, with windows that store its messages as a page does. */
function setUp() {
  const sources = fakeSources();
  const timers = fakeTimers();
  const stream = new SharedStream(
    { ...timers, openSource: sources.open, random: () => 1 },
    () => createOverviews,
  );
  const open = (watch: Partial<Watch>) => {
    const got: ToWindow[] = [];
    let state: MarketState | null = null;
    const queue = createDeltaQueue((next) => {
      state = next;
    });
    const send = joinWithFirstWord(stream, (message) => {
      const taken = unpacked(packed(message));
      got.push(taken);
      if (taken.type === 'ask') send({ type: 'here' });
      if (taken.type === 'state') queue.replace(taken.state);
      if (taken.type === 'delta') queue.add(taken);
    });
    send(watching(watch));
    return {
      got,
      tell: send,
      state: (): MarketState => {
        queue.flush();
        if (!state) throw new Error('The window has no state.');
        return state;
      },
      codes(): string[] {
        return [...this.state().stocks.keys()].sort();
      },
      /** The stock codes in the last message: patches first, then whole records. */
      patched: () => {
        const last = got.at(-1);
        if (last?.type !== 'delta') return null;
        return [...Object.keys(last.delta.stocks.upsert), ...(last.whole ?? []).map(({ code }) => code)];
      },
    };
  };
  return { ...sources, timers, open };
}

const mover = (code: string, more: Partial<Stock> = {}): Stock => aStock({ code, name: code, ...more });
const snapshotOf = (...stocks: Stock[]) => ({
  ...aSnapshot(stocks.map(({ code }) => code)),
  stocks: Object.fromEntries(stocks.map((stock) => [stock.code, stock])),
});

describe('a window that watches a few codes', () => {
  test('receives only those and their changes', () => {
    const { open, last } = setUp();
    const window = open({ codes: ['BHP', 'NEW'] });
    last().send('snapshot', aSnapshot(['BHP', 'CBA', 'NAB']));
    expect(window.codes()).toEqual(['BHP']);
    last().send('delta_update', aDelta({ BHP: { last: 2 }, CBA: { last: 3 }, NEW: { last: 4 } }));
    expect(window.patched()).toEqual(['BHP', 'NEW']);
    expect(window.state().stocks.get('NEW')?.last).toBe(4);
    last().send('delta_update', aDelta({}, {}, ['CBA', 'BHP']));
    expect(window.codes()).toEqual(['NEW']);
    expect(window.got.at(-1)).toMatchObject({ delta: { stocks: { delete: ['BHP'] } } });
  });

  test('learns the age and size of the market from changes elsewhere', () => {
    const { open, last, timers } = setUp();
    const window = open({ codes: ['BHP'] });
    last().send('snapshot', aSnapshot(['BHP', 'CBA']));
    timers.pass(7000);
    last().send('delta_update', aDelta({ CBA: { last: 3 } }, { stockCount: 2 }));
    expect(window.patched()).toEqual([]);
    expect(window.state().changedAt).toBe(timers.now());
    expect(window.state().meta.stockCount).toBe(2);
  });
});

describe('a window that shows a scanner', () => {
  const inside = mover('INS');
  const outside = mover('OUT', { change: -1, close: 1, vwap: 2 });

  test('receives updates of a stock that left, because its row may be held, and drops it later', () => {
    const { open, last, timers } = setUp();
    const window = open({ scanners: ['intraDaySmall'] });
    last().send('snapshot', snapshotOf(inside, outside));
    const leave = { change: -1, close: 1, vwap: 2 };
    last().send('delta_update', aDelta({ INS: leave }));
    last().send('delta_update', aDelta({ INS: { last: 0.5 } }));
    expect(window.state().stocks.get('INS')?.last).toBe(0.5);
    for (let times = 0; times < 2; times += 1) {
      timers.pass(KEPT_MS);
      last().send('delta_update', aDelta({}));
    }
    expect(window.codes()).toEqual([]);
  });

  test('receives stocks that enter by their flags', () => {
    const { open, last } = setUp();
    const window = open({ scanners: ['intraDaySmall'] });
    last().send('snapshot', snapshotOf(mover('PRE', { status: 'Pre Open' })));
    expect(window.codes()).toEqual([]);
    const delta = aDelta({});
    last().send('delta_update', { ...delta, meta: { ...delta.meta, flags: { ignoreStatus: true } } });
    expect(window.codes()).toEqual(['PRE']);
  });
});

test('a window shows the first part of a market, then the whole once', () => {
  const { open, last, timers } = setUp();
  const window = open({ codes: CODES });
  last().send('snapshot', aSnapshot(['AAA'], { stockCount: 4 }));
  expect(window.codes()).toEqual(['AAA']);
  const before = window.got.length;
  last().send('delta_update', aDelta({ BBB: { last: 1 } }, { stockCount: 4 }));
  timers.pass(300);
  last().send('delta_update', aDelta({ AAA: { last: 7 }, CCC: { last: 1 } }, { stockCount: 4 }));
  expect(window.got).toHaveLength(before);
  last().send('delta_update', aDelta({ DDD: { last: 1 }, BBB: { last: 2 } }, { stockCount: 4 }));
  expect(window.got).toHaveLength(before + 1);
  expect(window.codes()).toEqual(['AAA', 'BBB', 'CCC', 'DDD']);
  expect(window.state().stocks.get('AAA')?.last).toBe(7);
  expect(window.state().stocks.get('BBB')?.last).toBe(2);
  last().send('delta_update', aDelta({ DDD: { last: 5 } }, { stockCount: 4 }));
  expect(window.state().stocks.get('DDD')?.last).toBe(5);
});

const SCANNERS: readonly ScannerKey[] = ['preMarket', 'intraDaySmall', 'intraDayMidLarge', 'custom'];
const price = fc.option(fc.constantFrom(-1, 0, 0.5, 1, 2), { nil: null });
const aPatch = fc.record(
  { last: price, open: price, change: price, vwap: price, status: fc.constantFrom('Open', 'Pre Open') },
  { requiredKeys: [] },
);
const aStep = fc.oneof(
  fc.record({
    kind: fc.constant('delta' as const),
    upsert: fc.dictionary(fc.constantFrom(...CODES), aPatch),
    gone: fc.subarray(CODES, { maxLength: 1 }),
    wait: fc.constantFrom(0, 1000, KEPT_MS),
  }),
  fc.record({
    kind: fc.constant('watch' as const),
    all: fc.boolean(),
    codes: fc.subarray(CODES),
    scanners: fc.subarray([...SCANNERS]),
  }),
  fc.constant({ kind: 'snapshot' as const }),
);

test('a window always has every stock that it watches exactly as in the market', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 30 }), fc.boolean(), (steps, isInParts) => {
      const { open, last, timers } = setUp();
      const whole = open({ all: true });
      const window = open({});
      let watch: Partial<Watch> = {};
      const compare = () => {
        const market = open({ all: true }).state().stocks;
        expect(whole.state().stocks).toEqual(market);
        const own = window.state().stocks;
        for (const [code, stock] of market) {
          const isWatched =
            watch.all ||
            watch.codes?.includes(code) ||
            watch.scanners?.some((key) => belongsTo(key, stock, false));
          if (isWatched || own.has(code)) expect(own.get(code)).toEqual(stock);
        }
        for (const code of own.keys()) expect(market.has(code)).toBe(true);
      };
      last().send('snapshot', isInParts ? aSnapshot(['AAA'], { stockCount: 5 }) : aSnapshot(CODES));
      for (const step of steps) {
        if (step.kind === 'watch') {
          watch = step;
          window.tell(watching({ all: step.all, codes: step.codes, scanners: step.scanners }, 2));
        } else if (step.kind === 'snapshot') last().send('snapshot', aSnapshot(CODES));
        else {
          timers.pass(step.wait);
          last().send('delta_update', aDelta(step.upsert, {}, step.gone));
        }
        // While parts are being collected, windows may show different moments.
        if (!isInParts) compare();
      }
      timers.pass(1000);
      compare();
    }),
    { numRuns: 200 },
  );
});
