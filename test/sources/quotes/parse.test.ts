import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { refuse } from '#lib/result.ts';
import { isUnreadable, parseIngest, readStock, type LineResult } from '#sources/quotes/ingest/parse.ts';

const resultsOf = (body: string): LineResult[] => {
  const parsed = parseIngest(body);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return [...parsed.value];
};
const update = (line: number, fields: object) => ({ kind: 'update', line, update: fields, ignored: [] });
const errorOf = (value: unknown): string => {
  const result = readStock(value, 1);
  return result.kind === 'rejected' ? result.message : 'accepted';
};

describe('formats of a body', () => {
  const bhp = { code: 'BHP', last: 50.6 };
  const cba = { code: 'CBA', last: 150 };
  const both = [update(1, bhp), update(2, cba)];

  test.each([
    ['one object', JSON.stringify(bhp, null, 2), [update(1, bhp)]],
    ['a list', JSON.stringify([bhp, cba]), both],
    ['stocks in an object', JSON.stringify({ stocks: [bhp, cba] }), both],
    ['one object per line', `${JSON.stringify(bhp)}\n${JSON.stringify(cba)}`, both],
  ])('%s', (_, body, expected) => {
    expect(resultsOf(body)).toEqual(expected as LineResult[]);
  });

  test('lines are numbered as sent, with empty lines, Windows line ends and a byte order mark', () =>
    expect(resultsOf(`\uFEFF\r\n${JSON.stringify(bhp)}\r\n\r\n${JSON.stringify(cba)}\r\n`)).toEqual([
      update(2, bhp),
      update(4, cba),
    ] as LineResult[]));

  test.each(['', ' \n\t ', '[]', '17', '"BHP"', 'null'])('unreadable: %p', (body) => {
    expect(parseIngest(body).ok).toBe(false);
  });

  test('unreadable: no line is JSON', () => {
    expect(isUnreadable(resultsOf('<html>\n<body>'))).toBe(true);
    expect(isUnreadable(resultsOf('<html>\n{"code":"BHP","last":1}'))).toBe(false);
    expect(isUnreadable(resultsOf('[1]'))).toBe(false);
  });
});

test('nesting that is too deep is reported, for the whole body or a single line', () => {
  const deep = `{"code":"BHP","news":${'['.repeat(32)}${']'.repeat(32)}}`;
  expect(parseIngest(deep)).toEqual(refuse('The body has more than 32 levels of lists and objects.'));
  expect(resultsOf(`{"code":"CBA","last":1}\n${deep}`)).toMatchObject([
    { kind: 'update' },
    { kind: 'rejected', line: 2, message: 'This line has more than 32 levels of lists and objects.' },
  ]);
});

test('bad lines never affect the good ones, whatever and wherever they are', () => {
  const good = fc.record({
    code: fc.stringMatching(/^[A-Z0-9]{1,6}$/),
    last: fc.integer({ min: 1, max: 1000 }),
  });
  const bad = fc.constantFrom(
    '{',
    '{"code":',
    'x',
    '['.repeat(40),
    '[]',
    '17',
    '{"code":"TOOLONGCODE","last":1}',
    '{"code":"A","last":"1"}',
    '{"last":1}',
  );
  const lines = fc.array(
    fc.oneof(
      good.map((value) => ({ value })),
      bad.map((text) => ({ text })),
    ),
    { minLength: 2, maxLength: 40 },
  );
  fc.assert(
    fc.property(lines, (all) => {
      const body = all.map((line) => ('text' in line ? line.text : JSON.stringify(line.value))).join('\n');
      const results = resultsOf(body);
      const expected = all.map((line, at) =>
        'text' in line ? `${at + 1} rejected` : `${at + 1} ${line.value.code}`,
      );
      const outcomes = results.map((result) =>
        result.kind === 'update' ? `${result.line} ${result.update.code}` : `${result.line} rejected`,
      );
      expect(outcomes).toEqual(expected);
    }),
  );
});

describe('fields', () => {
  test('accepts every known field, uppercases codes, and reports unknown and derived ones', () => {
    const sent = {
      code: ' bhp ',
      name: 'BHP Group',
      status: 'Pre Open',
      securityType: 'stock',
      sector: 'Materials',
      open: 1,
      high: 2,
      low: 0.5,
      close: 1.5,
      last: null,
      vwap: 1.2,
      volume: 0,
      value: 10.5,
      match_price: 1.55,
      match_vol: 20_000,
      buy_surplus: -500,
      marketCap: 1e11,
      relativeVolume: 1.5,
      sensitiveAnnouncements: 1,
      trend: { daysUp: 1, daysDown: 0, weeksUp: 2, weeksDown: 0 },
      yearRange: { high: 2.2, low: null },
      indicators: { '60': { 'RSI:14': { now: 55, '1': null } } },
      htf: { '1M': { open: 1, close: 2 } },
      quoteTime: Date.UTC(2026, 0, 20),
    };
    const { code: _code, ...fields } = sent;
    expect(readStock({ ...sent, change_percent: 3, bid: 1 }, 7) as unknown).toEqual({
      kind: 'update',
      line: 7,
      update: { code: 'BHP', ...fields },
      ignored: ['change_percent', 'bid'],
    });
  });

  const wrongs: [string, unknown, RegExp][] = [
    ['last', '50.6', /must be a number or null, not text/],
    ['last', -1, /between 0 and/],
    ['volume', -1, /between/],
    ['volume', [1], /not a list/],
    ['status', 'Closed', /must be one of Pre Open, Open/],
    ['name', '', /must not be empty/],
    ['name', 'x'.repeat(121), /at most 120/],
    ['sensitiveAnnouncements', 1.5, /whole number/],
    ['yearRange', { top: 1 }, /no entry "top"/],
    ['trend', { daysUp: 1 }, /whole numbers for daysUp/],
    ['indicators', { '7': {} }, /no entry "7"/],
    ['indicators', { D: { RSI: { now: '55' } } }, /D: RSI: now: must be a number/],
    ['indicators', { D: { constructor: { now: 1 } } }, /no entry "constructor"/],
    ['htf', { '1M': { open: 'x' } }, /1M: open: must be a number/],
    ['htf', { '5M': {} }, /no entry "5M"/],
    ['quoteTime', 5, /between/],
  ];
  test.each(wrongs)('rejects the field %s with %p', (field, value, clause) => {
    const error = errorOf({ code: 'BHP', [field]: value });
    expect(error).toMatch(clause);
    expect(error).toStartWith(`The field "${field}" `);
  });

  test.each(['', 'TOOLONG', 'B HP', 17, null, undefined, '__PROTO__'])('rejects the code %p', (code) => {
    expect(errorOf({ code, last: 1 })).toMatch(/"code" must be/);
  });

  test('removes invisible characters from texts', () => {
    const sent = {
      code: 'BHP',
      name: '\u202eBHP\u200b \u2066Gro\u00adup\u2069\ufeff',
      sector: '\u200eMining',
    };
    expect(readStock(sent, 1)).toEqual(
      update(1, { code: 'BHP', name: 'BHP Group', sector: 'Mining' }) as LineResult,
    );
    expect(errorOf({ code: 'BHP', name: '\u200e\u2067 \u3164' })).toMatch(/must not be empty/);
    expect(errorOf({ code: 'BHP', name: `${'x'.repeat(120)}\u200d` })).toBe('accepted');
  });

  test('treats names of the object prototype like any other field', () => {
    const [result] = resultsOf('{"code":"BHP","last":1,"__proto__":{"x":1},"toString":2}');
    expect(result).toMatchObject({ kind: 'update', ignored: ['__proto__', 'toString'] });
    expect(Object.prototype).not.toHaveProperty('x');
  });
});
