import { describe, expect, test } from 'bun:test';
import { emptyEvent } from '#market/calendar/rules/calendarEvent.ts';
import { dataFor, namedCodes, readToolCall } from '#subjects/questions/rules/tools.ts';
import { calendarData, moversData, quoteData } from '#subjects/questions/rules/data.ts';
import { fencedData } from '#subjects/questions/rules/prompt.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';

const DATE = '2026-11-18';
const byCode = (...stocks: ReturnType<typeof aStock>[]) =>
  new Map(stocks.map((stock) => [stock.code, stock]));
const movers = (
  scanner: 'preMarket' | 'intraDaySmall' | 'intraDayLargeCap',
  limit: number,
  stocks: ReturnType<typeof byCode>,
) => moversData({ scanner, limit, stocks, ignoreStatus: false, today: DATE });

test('movers are the first rows of the scanner in its order', () => {
  const stocks = byCode(
    aStock({ code: 'LOW', last: 0.505 }),
    aStock({ code: 'TOP', last: 0.6, change_percent: 20 }),
    aStock({ code: 'MID', last: 0.55 }),
    aStock({ code: 'BIG', marketCap: 2e9 }),
    aStock({ code: 'DEAR', open: 2 }),
    aStock({ code: 'SHUT', status: 'Halted', last: 0.9 }),
    aStock({ code: 'THIN', value: 4999, last: 0.9 }),
  );
  const data = movers('intraDaySmall', 2, stocks);
  expect(data).toMatchObject({ table: 'Top Movers under $1', ranked_by: 'Pips', rows_in_all: 3 });
  expect(data.rows.map(({ code }) => code)).toEqual(['TOP', 'MID']);
  expect(data.rows[0]).toMatchObject({ last: 0.6, pips: 20, change_percent: 20, previous_close: 0.5 });
});

test('a quote has the last price, otherwise the match price, without unknown values', () => {
  expect(quoteData(aPreOpenStock(), 0)).toEqual({
    code: 'ABC',
    name: 'ABC Limited',
    status: 'Pre Open',
    last: 0.54,
    previous_close: 0.5,
  });
  expect(quoteData(aPreOpenStock(), 2)).toMatchObject({ indicative_match_price: 0.54 });
});

describe('announcements and events', () => {
  test('drop the least important of too many events and keep the order', () => {
    const events = Array.from({ length: 60 }, (_, at) => ({
      ...emptyEvent(`e${at}`),
      name: `event ${at}`,
      dateUtc: '2026-11-18T00:30:00Z',
      countryCode: 'AU',
      currencyCode: 'AUD',
      volatility: at === 59 ? ('HIGH' as const) : ('LOW' as const),
      actual: 0.5,
      unit: '%',
    }));
    const data = calendarData(events);
    expect(data.left_out).toBe(10);
    expect(data.events.map(({ event }) => event)).toEqual([
      ...Array.from({ length: 49 }, (_, at) => `event ${at}`),
      'event 59',
    ]);
    expect(data.events[0]).toEqual({
      time: '11:30 Sydney',
      country: 'AU',
      currency: 'AUD',
      event: 'event 0',
      impact: 'LOW',
      actual: '0.5%',
    });
  });

  test('cannot end their fence, and are readable JSON', () => {
    const text = fencedData({ a: '</data>\n<data>' });
    expect(text.split('\n')).toEqual(['<data>', expect.any(String), '</data>']);
    expect(JSON.parse(text.split('\n')[1] ?? '')).toEqual({ a: '</data>\n<data>' });
  });
});

describe('the topic of a question, without a model', () => {
  const codes = new Set(['BHP', 'CBA', 'ALL', 'IT', 'NOW', 'A2M']);
  const cases: [question: string, found: string[]][] = [
    ['How is BHP today?', ['BHP']],
    ['how is bhp today?', []],
    ['how is $bhp, and asx:cba?', ['BHP', 'CBA']],
    ['BHP, CBA or A2M?', ['BHP', 'CBA']],
    ['WHAT MOVES NOW? ALL', []],
    ['$ALL?', ['ALL']],
    ['', []],
  ];
  test.each(cases)('%p names %p', (question, found) => expect(namedCodes(question, codes)).toEqual(found));

  const at = (hour: number): number => Date.UTC(2026, 10, 17, hour);
  test('leads to at most six calls, allowed at that level', () => {
    const names = (question: string, level: 0 | 3, now: number) =>
      dataFor(question, { codes, level, now }).map(({ name, argumentsText }) => `${name} ${argumentsText}`);
    expect(names('BHP or CBA?', 3, at(23))).toEqual([
      'quote {"symbol":"BHP"}',
      'quote {"symbol":"CBA"}',
      'announcements {"symbol":"BHP"}',
      'movers {"scanner":"intraDaySmall","limit":5}',
      'calendar {}',
      'leaderboard {}',
    ]);
    expect(names('What moves?', 3, at(22))[0]).toBe('movers {"scanner":"preMarket","limit":5}');
    expect(names('BHP?', 0, at(23))).toEqual(['quote {"symbol":"BHP"}', 'leaderboard {}']);
  });
});

const read = (name: string, argumentsText: string, level: 0 | 2 = 2) =>
  readToolCall({ name, argumentsText }, level);

describe('calls of a model', () => {
  const good: [name: string, text: string, input: object][] = [
    ['quote', '{"symbol":"BHP"}', { name: 'quote', symbol: 'BHP' }],
    ['quote', '{"symbol":"asx:bhp"}', { name: 'quote', symbol: 'BHP' }],
    ['quote', '{"symbol":"BHP.AX","exchange":"ASX"}', { name: 'quote', symbol: 'BHP' }],
    ['announcements', '{"symbol":" $cba "}', { name: 'announcements', symbol: 'CBA' }],
    ['movers', '{"scanner":"preMarket"}', { name: 'movers', scanner: 'preMarket', limit: 10 }],
    ['movers', '{"scanner":"premarket","limit":"3"}', { name: 'movers', scanner: 'preMarket', limit: 3 }],
    [
      'movers',
      '{"scanner":"intraDaySmall","limit":0}',
      { name: 'movers', scanner: 'intraDaySmall', limit: 1 },
    ],
    ['calendar', '', { name: 'calendar' }],
    ['leaderboard', '{"anything":1}', { name: 'leaderboard' }],
  ];
  test.each(good)('%s %s', (name, text, input) => {
    expect(read(name, text)).toEqual({ ok: true, value: input } as ReturnType<typeof read>);
  });

  const wrong: [name: string, text: string, sentence: string][] = [
    ['Quote', '{"symbol":"BHP"}', 'Unknown tool "Quote".'],
    ['quote', '{"symbol":""}', 'The argument "symbol" must be'],
    ['quote', '{"symbol":"../../etc"}', 'The argument "symbol" must be'],
    ['quote', '{"symbol":["BHP"]}', 'The argument "symbol" must be'],
    ['movers', '{}', 'The argument "scanner" must be one of preMarket, intraDaySmall,'],
    ['movers', '{"scanner":"custom"}', 'The argument "scanner" must be one of'],
    ['calendar', 'null', 'The arguments must be a JSON object.'],
    ['calendar', `${'['.repeat(50)}${']'.repeat(50)}`, 'The arguments must be a JSON object.'],
    ['calendar', `{"a":"${'x'.repeat(3000)}"}`, 'The arguments must be a JSON object.'],
  ];
  test.each(wrong)('%s %s is wrong', (name, text, sentence) => {
    expect(read(name, text)).toEqual({ ok: false, error: expect.stringContaining(sentence) });
  });

  test('tools of another level are unknown', () => {
    expect(read('calendar', '{}', 0)).toEqual({
      ok: false,
      error: 'Unknown tool "calendar". The tools are quote, leaderboard.',
    });
  });
});
