import { describe, expect, test } from 'bun:test';
import type { OddsSettings } from '#subjects/odds/rules/settings.ts';
import { field, is, RSI } from '../../../support/conditions.ts';
import { FREE, oddsOf, scanOf } from '../../../support/oddsOf.ts';
import type { RecordedDay, RecordedMinute } from '../../../support/recordedSessions.ts';

const FRIDAY = '2026-11-20';
const MONDAY = '2026-11-23';
const TUESDAY = '2026-11-24';

const UP_5 = scanOf(is(field('change_percent'), '>=', 5));
const AT_CLOSE = { ...FREE, exit: { kind: 'close' } } as const;
const IN_5 = { ...FREE, exit: { kind: 'minutes', minutes: 5 } } as const;
const NEXT_OPEN = { ...FREE, exit: { kind: 'nextOpen' } } as const;

/** Trades at one price, by minute. */
const trades = (prices: Readonly<Record<number, number>>): RecordedMinute[] =>
  Object.entries(prices).map(([minute, price]) => ({ minute: Number(minute), trades: price }));

const aDay = (
  date: string,
  minutes: readonly RecordedMinute[],
  more: Partial<RecordedDay> = {},
): RecordedDay => ({
  date,
  stocks: [{ code: 'ABC', close: 1, minutes }],
  ...more,
});

/** Entries as 'minute: fill at price, exit at price reason'. */
function entriesOf(...given: Parameters<typeof oddsOf>): string[] {
  const found = oddsOf(...given).entries();
  return found.symbols.map((_, row) => {
    const [fill = 0, exit = 0] = [found.fills[row], found.exits[row]];
    const day = found.exitDates[row] === found.dates[row] ? '' : `${found.exitDates[row]} `;
    return `${found.minutes[row]}: ${found.fillMinutes[row]} at ${fill}, ${day}${found.exitMinutes[row]} at ${exit} ${found.reasons[row]}`;
  });
}

const leftOutOf = (...given: Parameters<typeof oddsOf>) => oddsOf(...given).result().leftOut;

describe('an entry', () => {
  test('is the first minute of the day in which the values match', () => {
    const day = aDay(
      FRIDAY,
      trades({ 600: 1, 610: 1.05, 611: 1.06, 620: 1, 630: 1.07, 640: 1.08, 960: 1.1 }),
    );
    expect(entriesOf(UP_5, AT_CLOSE, [day])).toEqual(['610: 611 at 1.06, 960 at 1.1 close']);
  });

  test('counts again after the stock ceased to match, if every entry is wanted', () => {
    const day = aDay(
      FRIDAY,
      trades({ 600: 1, 610: 1.05, 611: 1.06, 620: 1, 630: 1.07, 640: 1.08, 960: 1.1 }),
    );
    expect(entriesOf(UP_5, { ...AT_CLOSE, everyEntry: true }, [day])).toEqual([
      '630: 640 at 1.08, 960 at 1.1 close',
      '610: 611 at 1.06, 960 at 1.1 close',
    ]);
  });

  test('can be the first minute with a trade', () => {
    const day = aDay(FRIDAY, trades({ 600: 1.05, 601: 1.06, 960: 1.1 }));
    expect(entriesOf(UP_5, AT_CLOSE, [day])).toEqual(['600: 601 at 1.06, 960 at 1.1 close']);
  });

  test('needs known values: an unknown previous close decides nothing', () => {
    const day: RecordedDay = {
      date: FRIDAY,
      stocks: [{ code: 'ABC', minutes: trades({ 600: 1.05, 601: 1.06, 960: 1.1 }) }],
    };
    expect(oddsOf(UP_5, AT_CLOSE, [day]).result().all.entries).toBe(0);
  });

  test('names values that were never known', () => {
    const day = aDay(FRIDAY, trades({ 600: 1.05, 601: 1.06 }));
    const { notes, all } = oddsOf(scanOf(is(field('relativeVolume'), '>', 2)), AT_CLOSE, [day]).result();
    expect([all.entries, notes]).toEqual([0, ['Rel Vol was never known in these sessions.']]);
  });

  test('needs a change to matching after a data gap', () => {
    const minutes = trades({ 600: 1, 640: 1.06, 650: 1.07, 660: 1, 670: 1.08, 680: 1.09, 960: 1.1 });
    const gaps = [{ from: 610, until: 635 }];
    expect(entriesOf(UP_5, AT_CLOSE, [aDay(FRIDAY, minutes, { gaps })])).toEqual([
      '670: 680 at 1.09, 960 at 1.1 close',
    ]);
  });

  test('is not in a minute that was partly recorded', () => {
    const minutes = trades({ 610: 1.06, 611: 1.06, 650: 1, 670: 1.08, 680: 1.09, 960: 1.1 });
    const gaps = [{ from: 0, until: 611 }];
    expect(entriesOf(UP_5, AT_CLOSE, [aDay(FRIDAY, minutes, { gaps })])).toEqual([
      '670: 680 at 1.09, 960 at 1.1 close',
    ]);
  });

  test('ignores a gap in the pre-open if the scan reads no auction', () => {
    const minutes = trades({ 600: 1.06, 601: 1.07, 960: 1.1 });
    const gaps = [{ from: 0, until: 590 }];
    expect(entriesOf(UP_5, AT_CLOSE, [aDay(FRIDAY, minutes, { gaps })])).toHaveLength(1);
  });

  test('can come with the time of day, between two changes of the stock', () => {
    const scan = scanOf(is(field('change_percent'), '>=', 5), is(field('minutes_since_open'), '>=', 30));
    const day = aDay(FRIDAY, trades({ 600: 1.05, 610: 1.06, 700: 1.07, 960: 1.1 }));
    // The open is at 09:59:45, so 30 minutes are over within 10:29.
    expect(entriesOf(scan, AT_CLOSE, [day])).toEqual(['629: 700 at 1.07, 960 at 1.1 close']);
  });

  test('has the same time of day on a half day and after a change of daylight saving', () => {
    const scan = scanOf(is(field('minutes_since_open'), '>=', 30));
    const minutes = trades({ 600: 1, 610: 1, 640: 1.07, 850: 1.1 });
    for (const date of ['2026-10-02', '2026-10-05', '2026-12-24']) {
      expect(entriesOf(scan, AT_CLOSE, [aDay(date, minutes)])).toEqual([
        '629: 640 at 1.07, 850 at 1.1 close',
      ]);
    }
  });

  test('is made by a crossing of the price, also overnight', () => {
    const scan = scanOf(is(field('last'), 'crosses_above', 1.1));
    const days = [
      aDay(FRIDAY, trades({ 600: 1.2, 601: 1.05, 602: 1.2, 603: 1.3, 900: 1.05, 960: 1.09 })),
      aDay(MONDAY, trades({ 600: 1.2, 605: 1.25, 960: 1.3 })),
      aDay(TUESDAY, trades({ 600: 1.4, 605: 1.25, 960: 1.3 })),
    ];
    expect(entriesOf(scan, AT_CLOSE, days)).toEqual([
      '600: 605 at 1.25, 960 at 1.3 close',
      '602: 603 at 1.3, 960 at 1.09 close',
    ]);
  });

  test('is not made by a split', () => {
    const scan = scanOf(is(field('last'), 'crosses_above', 1.1));
    const days = [
      aDay(FRIDAY, trades({ 600: 0.1, 960: 0.1 })),
      aDay(MONDAY, trades({ 600: 1.2, 605: 1.25, 960: 1.3 })),
    ];
    const adjustments = () => [{ date: MONDAY, factor: 10, at: 0 }];
    expect(entriesOf(scan, AT_CLOSE, days, { adjustments })).toEqual([]);
    expect(entriesOf(scan, AT_CLOSE, days)).toHaveLength(1);
  });

  test('can read indicators of the minutes before', () => {
    const rising = trades(
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [600 + at, 1 + at / 100])),
    );
    const scan = scanOf(is({ ...RSI, tf: '1', params: { length: '14' } }, '>', 99));
    // The fourteenth change is in the fifteenth minute.
    expect(entriesOf(scan, IN_5, [aDay(FRIDAY, rising)])).toEqual(['614: 615 at 1.15, 620 at 1.2 time']);
  });

  test('can read daily indicators of the days before, and only of them', () => {
    const dailyBars = () =>
      Array.from({ length: 10 }, (_, day) => {
        const price = 1 + day / 100;
        return { key: 20_770 + day, open: price, high: price, low: price, close: price, volume: 1 };
      });
    const sma = {
      type: 'indicator',
      family: 'sma',
      params: { length: '5' },
      tf: 'D',
      key: 'sma_5',
      valueKey: 'now',
    } as const;
    const day = aDay(FRIDAY, trades({ 600: 1, 610: 1.2, 611: 1.3, 960: 1.4 }));
    const scan = scanOf(is(field('last'), '>', sma));
    expect(entriesOf(scan, AT_CLOSE, [day], { dailyBars })).toEqual(['610: 611 at 1.3, 960 at 1.4 close']);
    expect(entriesOf(scan, AT_CLOSE, [day])).toEqual([]);
  });
});

describe('the pre-open', () => {
  const scanner = { type: 'scanner', key: 'preMarket', filters: { minValue: 5000 } } as const;
  const auction = (minute: number, matchPrice: number, matchVolume = 10_000): RecordedMinute => ({
    minute,
    matchPrice,
    matchVolume,
    status: 'Pre Open',
  });

  test('fills at the price of the auction, without a step', () => {
    const minutes: RecordedMinute[] = [
      auction(480, 0.99),
      auction(500, 1.05),
      auction(590, 1.02),
      { minute: 599, trades: [1.03, 1.04, 1.01, 1.01], status: 'Open' },
      ...trades({ 960: 1.1 }),
    ];
    expect(entriesOf(scanner, { ...AT_CLOSE, steps: 1 }, [aDay(FRIDAY, minutes)])).toEqual([
      '500: 599 at 1.03, 960 at 1.1 close',
    ]);
  });

  test('pays the step if the stock opened without an auction', () => {
    const minutes: RecordedMinute[] = [
      auction(500, 1.05),
      { minute: 598, status: 'Pre Open' },
      { minute: 640, trades: 1.03, status: 'Open' },
      ...trades({ 960: 1.1 }),
    ];
    expect(entriesOf(scanner, { ...AT_CLOSE, steps: 1 }, [aDay(FRIDAY, minutes)])).toEqual([
      '500: 640 at 1.035, 960 at 1.1 close',
    ]);
  });

  test('needs a change to a gap after a data gap', () => {
    const minutes = [
      auction(500, 1.05),
      { minute: 599, trades: 1.05, status: 'Open' as const },
      ...trades({ 960: 1.1 }),
    ];
    const gaps = [{ from: 0, until: 490 }];
    expect(entriesOf(scanner, AT_CLOSE, [aDay(FRIDAY, minutes, { gaps })])).toEqual([]);
    const seen = [auction(495, 0.9), ...minutes];
    expect(entriesOf(scanner, AT_CLOSE, [aDay(FRIDAY, seen, { gaps })])).toHaveLength(1);
  });
});

describe('a fill', () => {
  test('costs a whole step of a cheap stock', () => {
    const day: RecordedDay = {
      date: FRIDAY,
      stocks: [{ code: 'TNY', close: 0.001, minutes: trades({ 600: 0.002, 601: 0.002, 960: 0.002 }) }],
    };
    const run = oddsOf(UP_5, { exit: { kind: 'close' } }, [day]);
    const { all } = run.result();
    expect(run.entries().fills).toEqual([0.003]);
    expect(all.meanBefore).toBe(0);
    // 0.2 % brokerage per side and a third of the price.
    expect(all.mean).toBeCloseTo(((0.002 * 0.998) / (0.003 * 1.002) - 1) * 100, 9);
  });

  test('waits for the end of a halt, and is then at the price of the auction', () => {
    const minutes: RecordedMinute[] = [
      ...trades({ 600: 1, 610: 1.06 }),
      { minute: 611, status: 'Halted' },
      { minute: 700, status: 'Pre Open', matchPrice: 1.2, matchVolume: 100 },
      { minute: 710, status: 'Open', trades: 1.25 },
      ...trades({ 960: 1.3 }),
    ];
    expect(entriesOf(UP_5, { ...AT_CLOSE, steps: 1 }, [aDay(FRIDAY, minutes)])).toEqual([
      '610: 710 at 1.25, 960 at 1.3 close',
    ]);
  });

  test('is left out without a trade afterwards', () => {
    expect(leftOutOf(UP_5, AT_CLOSE, [aDay(FRIDAY, trades({ 600: 1, 610: 1.06 }))]).noFill).toBe(1);
  });
});

describe('an exit', () => {
  const minutes = trades({ 600: 1, 610: 1.06, 611: 1.07, 614: 1.08, 617: 1.09, 960: 1.1 });
  const monday = aDay(MONDAY, trades({ 605: 0.9, 606: 1 }));

  const cases: readonly [
    name: string,
    settings: Partial<OddsSettings>,
    days: readonly RecordedDay[],
    found: string,
  ][] = [
    ['after minutes is the first trade then', IN_5, [aDay(FRIDAY, minutes)], '617 at 1.09 time'],
    ['at the close is the last price', AT_CLOSE, [aDay(FRIDAY, minutes)], '960 at 1.1 close'],
    [
      'at the next open is its first trade',
      NEXT_OPEN,
      [aDay(FRIDAY, minutes), monday],
      `${MONDAY} 605 at 0.9 nextOpen`,
    ],
    [
      'after minutes without a trade is the next session’s first trade',
      IN_5,
      [aDay(FRIDAY, trades({ 600: 1, 610: 1.06, 611: 1.07, 612: 1.08 })), monday],
      `${MONDAY} 605 at 0.9 later`,
    ],
  ];
  for (const [name, settings, days, found] of cases) {
    test(name, () => expect(entriesOf(UP_5, settings, days)).toEqual([`610: 611 at 1.07, ${found}`]));
  }

  const levels = { ...FREE, exit: { kind: 'stopTarget', stop: 10, target: 10 } } as const;
  const bars: readonly [name: string, bar: RecordedMinute, found: string][] = [
    ['at the stop', { minute: 620, trades: [1, 1, 0.8, 0.9] }, '620 at 0.96 stop'],
    [
      'below the stop, if the minute opens there',
      { minute: 620, trades: [0.7, 0.8, 0.7, 0.8] },
      '620 at 0.7 stop',
    ],
    ['at the target', { minute: 620, trades: [1.1, 1.3, 1.1, 1.3] }, '620 at 1.18 target'],
    ['at the stop, if one minute has both', { minute: 620, trades: [1.1, 1.3, 0.9, 1] }, '620 at 0.96 stop'],
    ['at the close, if it has neither', { minute: 620, trades: [1.1, 1.1, 1, 1] }, '960 at 1.1 close'],
  ];
  for (const [name, bar, found] of bars) {
    test(`is ${name}`, () => {
      const day = aDay(FRIDAY, [...trades({ 600: 1, 610: 1.06, 611: 1.07 }), bar, ...trades({ 960: 1.1 })]);
      expect(entriesOf(UP_5, levels, [day])).toEqual([`610: 611 at 1.07, ${found}`]);
    });
  }

  test('takes a split out of the price', () => {
    const split = aDay(MONDAY, trades({ 600: 0.107 }));
    const adjustments = () => [{ date: MONDAY, factor: 0.1, at: 0 }];
    const [result] = oddsOf(UP_5, NEXT_OPEN, [aDay(FRIDAY, minutes), split], { adjustments }).entries()
      .results;
    expect(result).toBeCloseTo(0, 9);
  });

  test('waits for the end of a halt', () => {
    const halted = aDay(FRIDAY, [
      ...trades({ 600: 1, 610: 1.06, 611: 1.07, 620: 1.08 }),
      { minute: 700, status: 'Halted' },
    ]);
    const still = aDay(MONDAY, [{ minute: 600, status: 'Halted' }]);
    const days = [halted, still, aDay(TUESDAY, trades({ 640: 0.5 }))];
    for (const settings of [
      AT_CLOSE,
      NEXT_OPEN,
      { ...FREE, exit: { kind: 'stopTarget', stop: 5, target: 50 } } as const,
    ]) {
      const reason = settings === NEXT_OPEN ? 'nextOpen' : 'later';
      expect(entriesOf(UP_5, settings, days)).toEqual([`610: 611 at 1.07, ${TUESDAY} 640 at 0.5 ${reason}`]);
    }
  });

  const missing: readonly [
    name: string,
    settings: Partial<OddsSettings>,
    days: readonly RecordedDay[],
    reason: string,
  ][] = [
    [
      'a fill in the last minute',
      AT_CLOSE,
      [aDay(FRIDAY, trades({ 600: 1, 610: 1.06, 960: 1.1 }))],
      'noExit',
    ],
    ['a session that is not over', AT_CLOSE, [aDay(FRIDAY, minutes, { isComplete: false })], 'noExit'],
    ['a session to come', NEXT_OPEN, [aDay(FRIDAY, minutes)], 'noExit'],
    [
      'a gap before the exit',
      AT_CLOSE,
      [aDay(FRIDAY, minutes, { gaps: [{ from: 700, until: 710 }] })],
      'gap',
    ],
    [
      'a gap before the next open',
      NEXT_OPEN,
      [aDay(FRIDAY, minutes), { ...monday, gaps: [{ from: 0, until: 602 }] }],
      'gap',
    ],
    [
      'a session that is missing',
      NEXT_OPEN,
      [aDay(FRIDAY, minutes), aDay(TUESDAY, trades({ 600: 1 }))],
      'gap',
    ],
    [
      'a gap in which a halted stock may have traded',
      NEXT_OPEN,
      [
        aDay(FRIDAY, minutes),
        { ...aDay(MONDAY, [{ minute: 600, status: 'Halted' }]), gaps: [{ from: 700, until: 710 }] },
        aDay(TUESDAY, trades({ 600: 1 })),
      ],
      'gap',
    ],
  ];
  for (const [name, settings, days, reason] of missing) {
    test(`is left out with ${name}`, () =>
      expect<unknown>(leftOutOf(UP_5, settings, days)).toEqual({
        noFill: 0,
        noExit: 0,
        gap: 0,
        [reason]: 1,
      }));
  }

  test('counts despite a gap after it, or outside of trading', () => {
    const gaps = [
      { from: 0, until: 400 },
      { from: 700, until: 710 },
      { from: 1000, until: 1440 },
    ];
    expect(entriesOf(UP_5, IN_5, [aDay(FRIDAY, minutes, { gaps })])).toHaveLength(1);
  });
});

describe('a scan', () => {
  const day: RecordedDay = {
    date: FRIDAY,
    stocks: [
      {
        code: 'ABC',
        close: 1,
        sector: 'Materials',
        minutes: trades({ 600: 1, 610: 1.06, 611: 1.07, 960: 1.1 }),
      },
      {
        code: 'XYZ',
        close: 1,
        sector: 'Energy',
        minutes: trades({ 600: 1, 610: 1.06, 611: 1.07, 960: 1.1 }),
      },
    ],
  };
  const symbols = (...given: Parameters<typeof oddsOf>) => oddsOf(...given).entries().symbols;

  test('of an alert has one stock', () => {
    expect(symbols({ ...UP_5, symbol: 'XYZ' } as typeof UP_5, AT_CLOSE, [day])).toEqual(['XYZ']);
  });

  test('with watchlists has their stocks', () => {
    expect(symbols(UP_5, AT_CLOSE, [day], { listed: new Set(['ABC']) })).toEqual(['ABC']);
  });

  test('can name sectors', () => {
    const scan = scanOf(
      is(field('change_percent'), '>=', 5),
      is(field('sector'), '!=', { type: 'text', values: ['Energy'] }),
    );
    expect(symbols(scan, AT_CLOSE, [day])).toEqual(['ABC']);
  });

  test('names conditions that the history cannot decide, and leaves them out', () => {
    const scan = scanOf(is(field('change_percent'), '>=', 5), is(field('surplus_flipped'), '==', 1));
    const run = oddsOf(scan, AT_CLOSE, [day]);
    expect(run.result().all.entries).toBe(2);
    expect(run.result().notes).toEqual([
      'The session history doesn’t include Surplus Flipped (last 60 s): conditions on it were left out, so more stocks match.',
    ]);
  });

  test('of nothing that the history has is refused', () => {
    const run = oddsOf(scanOf(is(field('surplus_flipped'), '==', 1)), AT_CLOSE, [day]);
    expect(run.refused).toContain('so there is nothing to look for');
    expect(run.result().all.entries).toBe(0);
  });

  test('of a scanner has its filters', () => {
    const minutes: RecordedMinute[] = [
      { minute: 600, trades: 0.5, volume: 1000, value: 500 },
      { minute: 610, trades: 0.52, volume: 10_000, value: 5100 },
      { minute: 611, trades: 0.53, volume: 20_000, value: 10_500, news: 1 },
      { minute: 960, trades: 0.55 },
    ];
    const small: RecordedDay = { date: FRIDAY, stocks: [{ code: 'SML', close: 0.5, minutes }] };
    const of = (filters: object) =>
      entriesOf(
        { type: 'scanner', key: 'intraDaySmall', filters: { minValue: 5000, ...filters } },
        AT_CLOSE,
        [small],
      );
    expect(of({})).toEqual(['610: 611 at 0.53, 960 at 0.55 close']);
    expect(of({ minValue: 10_000 })).toEqual([]);
    expect(of({ securities: 'funds' })).toEqual([]);
    expect(of({ newsOnly: true })).toEqual([]);
    expect(of({ minChange: 3 })).toEqual(['610: 611 at 0.53, 960 at 0.55 close']);
    expect(of({ minChange: 30 })).toEqual([]);
  });
});
