import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { WholeRows } from '#market/sessions/codec.ts';
import { framed, openSessions, sessionFiles, unframed } from '#market/sessions/files.ts';
import { readParts, readStocks, SessionWriter, type StockFacts } from '#market/sessions/parts.ts';
import { SESSION_COLUMNS, type SessionColumn, type StockSession } from '#market/sessions/rules/sessionDay.ts';
import { tempFolders } from '../../support/tempFolder.ts';

const PRICES: ReadonlySet<SessionColumn> = new Set(['open', 'high', 'low', 'last', 'matchPrice']);
const SCALES = { value: 100, relativeVolume: 100, vwap: 1e6 } as const;
const scaleOf = (name: SessionColumn): number =>
  PRICES.has(name) ? 1e4 : name in SCALES ? SCALES[name as keyof typeof SCALES] : 1;

type Row = { minute: number; traded: boolean; values: Record<SessionColumn, number> };
type Day = { facts: StockFacts; rows: Row[] };

const tempFolder = tempFolders();

const HOURS = { hours: { from: 420, until: 982 }, covered: [{ from: 420, until: 982 }] };

const wholes = (name: SessionColumn) => {
  const known = PRICES.has(name)
    ? fc.oneof(
        fc.integer({ min: 1, max: 400 }).map((step) => step * 50),
        fc.integer({ min: 0, max: 3e6 }),
      )
    : name === 'surplus'
      ? fc.integer({ min: -1e6, max: 1e6 })
      : fc.oneof(
          fc.integer({ min: 0, max: 9 }),
          fc.maxSafeNat().map((value) => value % 2 ** 50),
        );
  return fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: fc.constant(Number.NaN) });
};

const someRow = fc.record({
  traded: fc.boolean(),
  values: fc.record(
    Object.fromEntries(SESSION_COLUMNS.map((name) => [name, wholes(name)])) as Record<
      SessionColumn,
      fc.Arbitrary<number>
    >,
  ),
});

const price = fc.oneof(
  fc.integer({ min: 1, max: 1e6 }).map((whole) => whole / 1e4),
  fc.constant(Number.NaN),
);

const someDays: fc.Arbitrary<Day[]> = fc
  .uniqueArray(
    fc.record({
      facts: fc.record({
        code: fc.stringMatching(/^[A-Z0-9]{3,6}$/),
        isFund: fc.boolean(),
        sector: fc.option(fc.constantFrom('Banks', 'Materials')),
        close: price,
        yearHigh: price,
        yearLow: price,
        opening: fc.option(
          fc.record({ minute: fc.nat(1439), price, volume: fc.nat(), surplus: fc.integer() }),
        ),
      }),
      rows: fc
        .uniqueArray(fc.integer({ min: 0, max: 1439 }), { maxLength: 30 })
        .chain((minutes) =>
          fc.tuple(
            ...minutes.toSorted((a, b) => a - b).map((minute) => someRow.map((row) => ({ minute, ...row }))),
          ),
        ),
    }),
    { selector: ({ facts }) => facts.code, maxLength: 6 },
  )
  .map((days) => days as Day[]);

function wholeRows(rows: readonly Row[]): WholeRows {
  const whole = new WholeRows();
  for (const { minute, traded, values } of rows) {
    whole.minutes[whole.rows] = minute;
    whole.traded[whole.rows] = Number(traded);
    for (const name of SESSION_COLUMNS) whole.column(name)[whole.rows] = values[name];
    whole.rows += 1;
  }
  return whole;
}

function written(days: readonly Day[], isWhole = true): Uint8Array {
  const writer = new SessionWriter(isWhole);
  for (const { facts, rows } of days) writer.add(facts, wholeRows(rows));
  return writer.part(HOURS);
}

const columnOf = (stock: StockSession, name: SessionColumn): number[] =>
  Array.from(stock.column(name).subarray(0, stock.rows));

function* stocksIn(...bodies: Uint8Array[]): Generator<StockSession> {
  const { parts, error } = readParts(bodies);
  if (error) throw error;
  yield* readStocks(parts);
}

const expected = (rows: readonly Row[], name: SessionColumn): number[] =>
  rows.map(({ values }) => values[name] / scaleOf(name));

describe('session parts', () => {
  test('return every value of random days', () => {
    fc.assert(
      fc.property(someDays, (days) => {
        const read = [...stocksIn(written(days))].length;
        expect(read).toBe(days.length);
        const rest = [...days];
        for (const stock of stocksIn(written(days))) {
          const day = rest.shift();
          if (!day) throw new Error('There are too many stocks.');
          const { code, isFund, sector, close, yearHigh, yearLow, opening } = stock;
          expect({ code, isFund, sector, close, yearHigh, yearLow, opening }).toEqual(day.facts);
          expect(Array.from(stock.minutes.subarray(0, stock.rows))).toEqual(
            day.rows.map((row) => row.minute),
          );
          for (const name of SESSION_COLUMNS) expect(columnOf(stock, name)).toEqual(expected(day.rows, name));
        }
      }),
    );
  });

  test('give the same column whether or not others and other stocks are read', () => {
    fc.assert(
      fc.property(someDays, fc.constantFrom(...SESSION_COLUMNS), fc.nat(5), (days, name, chosen) => {
        let index = 0;
        for (const stock of stocksIn(written(days))) {
          if (index === chosen)
            expect(columnOf(stock, name)).toEqual(expected(days[index]?.rows ?? [], name));
          index += 1;
        }
      }),
    );
  });

  test('continue each other, and start again after a restart', () => {
    fc.assert(
      fc.property(someDays, fc.nat(20), fc.boolean(), (days, cut, isRestarted) => {
        let writer = new SessionWriter(false);
        const bodies: Uint8Array[] = [];
        for (const half of [0, 1]) {
          for (const { facts, rows } of half === 0 ? days : days.toReversed()) {
            const own = half === 0 ? rows.slice(0, cut) : rows.slice(cut);
            if (own.length > 0) writer.add(facts, wholeRows(own));
          }
          bodies.push(writer.part(HOURS));
          if (isRestarted) writer = new SessionWriter(false);
        }
        const known = new Map(days.map(({ facts, rows }) => [facts.code, rows]));
        for (const stock of stocksIn(...bodies)) {
          const rows = known.get(stock.code) ?? [];
          for (const name of SESSION_COLUMNS) expect(columnOf(stock, name)).toEqual(expected(rows, name));
          known.delete(stock.code);
        }
        expect([...known.values()].flat()).toEqual([]);
      }),
    );
  });

  test('state the figures of the day, as for a session that is not complete', () => {
    fc.assert(
      fc.property(someDays, (days) => {
        const figures = (isWhole: boolean) =>
          Array.from(stocksIn(written(days, isWhole)), (stock) => [
            stock.dayHigh,
            stock.dayLow,
            stock.dayOpen,
            stock.dayVolume,
            stock.dayValue,
          ]);
        expect(figures(true)).toEqual(figures(false));
      }),
    );
  });

  test('that are cut off or changed end in an error, never in a crash', () => {
    fc.assert(
      fc.property(someDays, fc.nat(), fc.nat(255), fc.boolean(), (days, at, byte, isCut) => {
        const body = written(days).slice();
        const place = at % body.length;
        body[place] = byte;
        try {
          for (const stock of stocksIn(isCut ? body.subarray(0, place) : body)) {
            for (const name of SESSION_COLUMNS) stock.column(name);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

const BHP: Day = {
  facts: {
    code: 'BHP',
    isFund: false,
    sector: 'Materials',
    close: 42,
    yearHigh: 50,
    yearLow: 35.5,
    opening: null,
  },
  rows: [],
};

function rowAt(minute: number, last: number): Row {
  const values = Object.fromEntries(SESSION_COLUMNS.map((name) => [name, 0])) as Row['values'];
  for (const name of ['open', 'high', 'low', 'last'] as const) values[name] = last * 1e4;
  return { minute, traded: true, values };
}

describe('session files', () => {
  const write = (folder: string, ...bytes: Uint8Array[]) =>
    sessionFiles(folder).write('hand', '2026-11-12', 0, Buffer.concat(bytes));

  test('are read by date, oldest first', () => {
    const folder = tempFolder();
    for (const date of ['2026-11-13', '2026-11-12'])
      sessionFiles(folder).replace('hand', date, framed(written([{ ...BHP, rows: [rowAt(600, 42.5)] }])));
    const sessions = openSessions(folder, 'hand');
    expect(sessions.dates()).toEqual(['2026-11-12', '2026-11-13']);
    expect(sessions.read('2026-11-14')).toBeNull();
    const session = sessions.read('2026-11-12');
    expect(session?.isComplete).toBe(true);
    expect(session?.gaps).toEqual([]);
    expect(Array.from(session?.stocks() ?? [], (stock) => [stock.code, stock.dayHigh])).toEqual([
      ['BHP', 42.5],
    ]);
  });

  test('keep the parts before an incomplete one, and the gaps between them', () => {
    const folder = tempFolder();
    const writer = new SessionWriter(false);
    const parts = [600, 605].map((minute) => {
      writer.add(BHP.facts, wholeRows([rowAt(minute, 42)]));
      const covered = [{ from: minute, until: minute + 1 }];
      return framed(writer.part({ hours: { from: 600, until: 960 }, covered }));
    });
    writer.add(BHP.facts, wholeRows([rowAt(606, 43)]));
    const third = framed(writer.part(HOURS));
    write(folder, ...parts, third.subarray(0, third.length - 1));
    const session = openSessions(folder, 'hand').read('2026-11-12');
    expect(session?.isComplete).toBe(false);
    expect(session?.gaps).toEqual([{ from: 601, until: 605 }]);
    const stocks = Array.from(session?.stocks() ?? [], (stock) =>
      Array.from(stock.minutes.subarray(0, stock.rows)),
    );
    expect(stocks).toEqual([[600, 605]]);
  });

  test('end at a damaged part', () => {
    const one = framed(written([BHP]));
    const two = Uint8Array.from(one);
    two[two.length - 1] = (two.at(-1) ?? 0) ^ 1;
    expect(unframed(Buffer.concat([one, two]))).toMatchObject({ end: one.length });
  });
});
