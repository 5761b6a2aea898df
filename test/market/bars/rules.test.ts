import { describe, expect, test } from 'bun:test';
import { AVERAGES, averageAt, createAverager } from '#market/bars/rules/averages.ts';
import { dataGap } from '#market/bars/rules/coverage.ts';
import { extendDayLine, slotOf } from '#market/bars/rules/dayLine.ts';
import { alertLevels } from '#subjects/alerts/rules/alertText.ts';
import { callLevels, haltShades, vwapPath } from '#market/bars/rules/stockExtras.ts';
import { wholeDayOf } from '#market/bars/rules/chart.ts';
import { ema, sma } from '#market/indicators/formulas/index.ts';
import { Cells } from '#market/indicators/formulas/cells.ts';
import { macd, rsi } from '#market/indicators/formulas/oscillators.ts';
import type { Calc } from '#market/indicators/types.ts';
import { STUDY_IDS, studyLines } from '#market/bars/rules/studies.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { dayOf, keyOf } from '#market/rules/localTime.ts';
import { barsOf, joinedBars } from '#support/chartBars.ts';

describe('a gap in prices', () => {
  const at = (date: string, hour: number) => fromSydney(date, hour, 0);

  test('does not count a night, weekend or holiday', () => {
    expect(dataGap(at('2026-11-18', 17), at('2026-11-19', 9))).toBeNull();
    expect(dataGap(at('2026-11-20', 18), at('2026-11-23', 7))).toBeNull();
    expect(dataGap(at('2026-12-25', 9), at('2026-12-28', 18))).toBeNull();
  });

  test('over several days counts the missed trading days', () => {
    expect(dataGap(at('2026-11-18', 15), at('2026-11-24', 11))).toEqual({
      from: at('2026-11-18', 15),
      until: at('2026-11-24', 11),
      days: { first: '2026-11-19', last: '2026-11-23' },
    });
  });
});

describe('the day line', () => {
  const from = fromSydney('2026-11-18', 10, 0);
  const SLOTS = { from, slotMinutes: 5 };
  const LINE = { previousClose: 1, closes: [1.1] };
  const at = (minutes: number) => from + minutes * 60_000;

  test('has five-minute slots from 10:00; the auctions belong to the first and the last', () => {
    const key = (hour: number, minute: number) => keyOf(dayOf('2026-11-18'), hour * 60 + minute);
    expect([key(9, 59), key(10, 4), key(10, 5), key(16, 10), key(17, 0)].map(slotOf)).toEqual([
      0, 0, 1, 74, 77,
    ]);
  });

  test('continues in its slot, or in a later one with the slots between left empty', () => {
    const shown = { last: 1.2, volume: 100 };
    expect(extendDayLine(LINE, shown, SLOTS, at(3)).closes).toEqual([1.2]);
    expect(extendDayLine(LINE, shown, SLOTS, at(16)).closes).toEqual([1.1, null, null, 1.2]);
    expect(LINE.closes).toEqual([1.1]);
  });
});

describe('marks on a chart', () => {
  const MINUTE = 60_000;
  const TEN = Date.parse('2026-01-19T23:00:00Z');

  test('shade each halt until the next status, and the current one until this minute', () => {
    const statuses = [
      { time: TEN, status: 'Open' },
      { time: TEN + 10 * MINUTE, status: 'Halted' },
      { time: TEN + 40 * MINUTE, status: 'Open' },
      { time: TEN + 90 * MINUTE, status: 'Suspended' },
    ];
    expect(haltShades(statuses, TEN + 100 * MINUTE + 30_000)).toEqual([
      { from: TEN + 10 * MINUTE, until: TEN + 40 * MINUTE, title: 'Halted' },
      { from: TEN + 90 * MINUTE, until: TEN + 100 * MINUTE, title: 'Suspended' },
    ]);
    expect(haltShades(statuses.slice(0, 2), TEN + 10 * MINUTE + 5000)).toEqual([]);
  });

  describe('price levels of the user', () => {
    test('name the calls they belong to, and merge equal prices', () => {
      const first = { entryPrice: 46, targetPrice: 50, stopLevel: 44 };
      const second = { entryPrice: 46, targetPrice: 52, stopLevel: null };
      expect(callLevels([first, second])).toEqual([
        { kind: 'entry', title: 'Entry 1, 2', price: 46 },
        { kind: 'target', title: 'Target 1', price: 50 },
        { kind: 'target', title: 'Target 2', price: 52 },
        { kind: 'stop', title: 'Stop 1', price: 44 },
      ]);
    });

    test('of alerts are the prices compared with the last one, including in groups, each once', () => {
      const last = { type: 'field', key: 'last' } as const;
      const above = { lhs: last, op: '>', rhs: { type: 'number', value: 50 } } as const;
      const volume = { ...above, lhs: { type: 'field', key: 'volume' } } as const;
      const toVwap = { ...above, rhs: { type: 'field', key: 'vwap' } } as const;
      const below = { ...above, op: '<', rhs: { type: 'number', value: 40 } } as const;
      const logic = {
        op: 'AND' as const,
        conditions: [above, volume, toVwap, { op: 'OR' as const, conditions: [below, above] }],
      };
      expect(alertLevels([logic]).map(({ price }) => price)).toEqual([40, 50]);
    });
  });
});

describe('the average price of a session', () => {
  const MINUTE = 60_000;
  const MONDAY = fromSydney('2026-01-19', 10, 0);
  const TUESDAY = fromSydney('2026-01-20', 10, 0);
  const known = { unknown: [], hasMore: false, knownSince: MONDAY - 3 * 3_600_000 };

  test('weights typical prices by shares and restarts each day', () => {
    const bars = joinedBars(barsOf(MONDAY, MINUTE, [10, 20]), barsOf(TUESDAY, MINUTE, [30, 40]));
    bars.volume = [100, 300, 100, 100];
    bars.high[1] = 23;
    bars.low[1] = 17;
    const path = vwapPath({ bars, ...known }, '1', null);
    expect(path?.time).toEqual(bars.time);
    expect(path?.price).toEqual([10, 17.5, 30, 35]);
  });

  test('ends with the market’s value for today', () => {
    const bars = barsOf(MONDAY, MINUTE, [10, 20]);
    expect(vwapPath({ bars, ...known }, '5', 14.9)?.price).toEqual([10, 14.9]);
  });

  test('is not drawn for a session whose start is missing', () => {
    const bars = joinedBars(barsOf(MONDAY + 60 * MINUTE, MINUTE, [10]), barsOf(TUESDAY, MINUTE, [30]));
    expect(vwapPath({ bars, ...known, hasMore: true }, '1', null)?.time).toEqual([TUESDAY]);
    expect(vwapPath({ bars, ...known, knownSince: MONDAY + 30 * MINUTE }, '1', null)?.time).toEqual([
      TUESDAY,
    ]);
  });

  test('is not drawn from a gap in its session on', () => {
    const bars = barsOf(MONDAY, MINUTE, [10, 20, 30, 40]);
    bars.time = [MONDAY, MONDAY + MINUTE, MONDAY + 30 * MINUTE, MONDAY + 31 * MINUTE];
    const unknown = [{ from: MONDAY + 5 * MINUTE, until: MONDAY + 25 * MINUTE }];
    const path = vwapPath({ bars, ...known, unknown }, '1', 99);
    expect(path?.time).toEqual([MONDAY, MONDAY + MINUTE]);
    expect(path?.price).toEqual([10, 15]);
  });
});

test.each([
  ['an ordinary day', '2026-11-26', 16, 11],
  ['the day before Christmas, which closes early', '2026-12-24', 14, 21],
])('%s runs from 10:00 until the end of its closing auction', (_name, date, hour, minute) => {
  expect(wholeDayOf(date)).toEqual({ from: fromSydney(date, 10, 0), until: fromSydney(date, hour, minute) });
});

test.each(['2026-11-28', '2026-12-25'])('%s has no trading', (date) => {
  expect(wholeDayOf(date)).toBeNull();
});

test.each(['sma20', 'sma50', 'sma200', 'ema20', 'ema50', 'ema200'] as const)(
  '%s over chart bars matches the columns if all bars are known',
  (id) => {
    const { kind, length } = AVERAGES[id];
    // A deterministic walk.
    const closes = Array.from(
      { length: 1200 },
      (_one, bar) => 20 + Math.sin(bar / 9) * 3 + ((bar * 7919) % 13) / 10,
    );
    const bars = barsOf(0, 86_400_000, closes);
    const [average] = createAverager()({ bars, hasMore: false }, [id]);
    const drawn = closes.map((_close, bar) => (average ? averageAt(average, bar) : null));
    expect(drawn.filter((value) => value === null)).toHaveLength(length - 1);
    const cells = new Cells();
    const calc = (kind === 'sma' ? sma : ema)(cells, length);
    cells.values = cells.fresh();
    for (const [bar, close] of closes.entries()) {
      calc.update({ day: bar, open: close, high: close, low: close, close, volume: 1 }, false);
      const column = cells.get(calc.out);
      if (drawn[bar] === null) expect(column).toBeNaN();
      else expect(drawn[bar]).toBeCloseTo(column, 9);
    }
  },
);

test('studies equal the columns rsi and macd, and start where unseen bars no longer matter', () => {
  const closes = Array.from({ length: 400 }, (_, bar) => 50 + Math.sin(bar / 7) * 3 + Math.cos(bar * 1.7));
  const computed = (make: (cells: Cells) => Calc, output: number) => {
    const cells = new Cells();
    const { out, update } = make(cells);
    cells.values = cells.fresh();
    return closes.map((close) => {
      update({ day: 1, open: close, high: close, low: close, close, volume: 1 }, false);
      return cells.get(out + output);
    });
  };
  const lines = STUDY_IDS.flatMap((id) => studyLines(id, closes, false));
  const wanted = [computed((cells) => rsi(cells, 14), 0), ...[0, 1, 2].map((at) => computed(macd, at))];
  for (const [index, { values, first }] of lines.entries()) {
    expect(wanted[index]?.findIndex((value) => !Number.isNaN(value))).toBe(first);
    expect(wanted[index]?.at(-1)).toBeCloseTo(values.at(-1) ?? 0, 10);
    expect(wanted[index]?.[first]).toBeCloseTo(values[first] ?? 0, 10);
  }
  expect(lines.map(({ id }) => id)).toEqual(['rsi', 'macd', 'signal', 'histogram']);
  for (const id of STUDY_IDS) {
    const [whole, cut] = [studyLines(id, closes, false)[0], studyLines(id, closes.slice(100), true)[0]];
    const first = cut?.first ?? 0;
    expect(Math.abs((cut?.values[first] ?? 0) - (whole?.values[first + 100] ?? 1))).toBeLessThan(0.01);
  }
});
