import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { createCallsBench } from '../../../support/callsBench.ts';
import { recordings } from '../../../support/recordedScan.ts';

/**
 * Daily prices of 2025 go through the Market and the tracker one day after the other; what must come out is asked
 * of SQL over the same days, which shares no code with the product.
 */
type Bar = { date: string; open: number; high: number; low: number; close: number; volume: number };
type Expected = {
  fill: string | null;
  target: string | null;
  targetPrice: number | null;
  stop: string | null;
  stopPrice: number | null;
  best: number | null;
  worst: number | null;
};

/** Of the codes of a recording this many are followed, a test a part: each has the runner's whole patience. */
const FOLLOWED = 24;
const PARTS = [0, 1, 2, 3];

const submittedOn = 20;
const days = 90;

const answerInSql = `
  WITH known AS (
    SELECT *, lag(open) OVER days IS open AND lag(high) OVER days IS high AND lag(low) OVER days IS low AS isSame
    FROM bars WHERE code = $code WINDOW days AS (ORDER BY date)
  ),
  -- A range like that of the day before may be left over from it: only the close is new.
  path AS (
    SELECT date, close, iif(isSame, NULL, open) AS open, iif(isSame, close, high) AS high,
      iif(isSame, close, low) AS low
    FROM known WHERE date > $from AND date <= $to
  ),
  filled AS (SELECT * FROM path WHERE low < $entry ORDER BY date LIMIT 1),
  whole AS (
    SELECT path.date, path.low, path.close,
      CASE WHEN path.date = filled.date AND path.open >= $entry THEN NULL ELSE path.open END AS open,
      CASE WHEN path.date = filled.date AND path.open >= $entry THEN path.close ELSE path.high END AS high
    FROM path, filled WHERE path.date >= filled.date
  ),
  stopped AS (SELECT * FROM whole WHERE low <= $stop ORDER BY date LIMIT 1),
  after AS (
    SELECT date,
      low, close, open,
      CASE WHEN date IS NOT (SELECT date FROM stopped) THEN high
        WHEN open IS NULL THEN low
        WHEN open <= $stop THEN open
        ELSE high END AS high,
      CASE WHEN date = (SELECT date FROM stopped) AND open <= $stop THEN open ELSE low END AS least
    FROM whole WHERE date <= coalesce((SELECT date FROM stopped), date)
  ),
  reached AS (SELECT * FROM after WHERE high >= $target ORDER BY date LIMIT 1)
  SELECT (SELECT date FROM filled) AS fill,
    (SELECT date FROM reached) AS target,
    (SELECT CASE WHEN open >= $target THEN open ELSE high END FROM reached) AS targetPrice,
    (SELECT date FROM stopped) AS stop,
    (SELECT CASE WHEN open <= $stop THEN open ELSE low END FROM stopped) AS stopPrice,
    (SELECT max(high) FROM after) AS best,
    (SELECT min(least) FROM after) AS worst`;

const noon = (date: string): number => fromSydney(date, 12, 0);
const isoNoon = (date: string | null): string | null =>
  date === null ? null : new Date(noon(date)).toISOString();
const cents = (value: number): number => Math.round(value * 1000) / 1000;
const percent = (from: number, to: number): number => Math.round((to / from - 1) * 1e6) / 1e4 + 0;

const barsOf = (db: Database, code: string): Bar[] =>
  db.query<Bar, { code: string }>('SELECT * FROM bars WHERE code = $code ORDER BY date').all({ code });

/** One call on one code: submitted after the close of a day, closed after 90 more. */
const follow = (db: Database, code: string) => {
  const bars = barsOf(db, code);
  const bench = createCallsBench();
  const show = (bar: Bar, before: Bar | undefined): void => {
    bench.now = noon(bar.date);
    const { open, high, low, close: last, volume } = bar;
    bench.quote({ code, status: 'Open', open, high, low, last, volume, close: before?.close ?? open });
    bench.tick();
  };
  const first = bars[submittedOn];
  const final = bars[submittedOn + days];
  if (!first || !final) throw new Error(`${code} has too few days.`);
  show(first, bars[submittedOn - 1]);
  const entry = cents(first.close * 0.97);
  const levels = { entry, target: cents(entry * 1.08), stop: cents(entry * 0.93) };
  const submitted = bench.calls.submit(bench.user, {
    symbol: code,
    callType: 'buy',
    entryPrice: levels.entry,
    targetPrice: levels.target,
    stopLossType: 'HARD',
    stopLoss: levels.stop,
  });
  bars.slice(submittedOn + 1, submittedOn + days + 1).forEach((bar, index) => {
    show(bar, bars[submittedOn + index]);
    if (index % 17 === 5) bench.restart();
  });
  bench.calls.end(bench.user, submitted.publicId, { kind: 'close', pocketedValue: 0 });
  // The next trade, which settles the call, comes at the same price.
  bench.trade(code, final.close);
  const [closed] = bench.calls.mine(bench.user);
  if (!closed) throw new Error('The call is gone.');
  const range = { code, from: first.date, to: final.date };
  const expected = db
    .query<Expected, Record<string, string | number>>(answerInSql)
    .get({ ...range, ...levels });
  if (!expected) throw new Error('SQL gave no answer.');
  return { closed, expected, levels, final };
};

describe.each(recordings())('calls on real daily prices: $name', ({ folder, isWhole }) => {
  const db = new Database(':memory:', { strict: true });
  let codes: string[] = [];
  const seen = { filled: 0, target: 0, stop: 0, gaps: 0 };

  beforeAll(async () => {
    db.run(
      'CREATE TABLE bars (code TEXT, date TEXT, open REAL, high REAL, low REAL, close REAL, volume REAL)',
    );
    const file = join(folder, 'eod', 'asxgym-eod-2025.csv.gz');
    const text = new TextDecoder().decode(Bun.gunzipSync(await Bun.file(file).bytes()));
    const insert = db.query('INSERT INTO bars VALUES (?, ?, ?, ?, ?, ?, ?)');
    db.transaction(() => {
      for (const line of text.split('\n').slice(1)) {
        const [code, date, open, close, high, low, volume] = line.split(',');
        if (!code || !date || !open || !close || !high || !low || !volume) continue;
        insert.run(code.toUpperCase(), date, +open, +high, +low, +close, +volume);
      }
    })();
    db.run('CREATE INDEX bars_code ON bars (code, date)');
    const liquid = `SELECT code FROM bars GROUP BY code
      HAVING count(*) > 200 AND min(volume) > 0 AND avg(close) > 0.05 ORDER BY code`;
    codes = db
      .query<{ code: string }, []>(liquid)
      .all()
      .map(({ code }) => code);
  });
  afterAll(() => db.close());

  test.each(PARTS)('fills, targets, stops and verified results of part %d', (part) => {
    expect(codes.length).toBeGreaterThan(isWhole ? 300 : 20);
    const step = Math.max(1, Math.floor(codes.length / FOLLOWED));
    const some = codes.filter((_, index) => index % step === 0).slice(0, FOLLOWED);
    for (const code of some.filter((_, index) => index % PARTS.length === part)) {
      const { closed, expected, levels, final } = follow(db, code);
      const reached = (date: string | null, price: number | null) =>
        date === null || price === null ? null : { at: isoNoon(date), price };
      expect({
        code,
        filledAt: closed.filledAt,
        target: closed.targetReached,
        stop: closed.stopReached,
      }).toEqual({
        code,
        filledAt: isoNoon(expected.fill),
        target: reached(expected.target, expected.targetPrice),
        stop: reached(expected.stop, expected.stopPrice),
      } as never);
      if (expected.fill === null || expected.best === null || expected.worst === null) {
        expect(closed.verified).toBeNull();
        continue;
      }
      expect(closed.verified).toMatchObject({
        percent: percent(levels.entry, expected.stopPrice ?? final.close),
        bestPercent: percent(levels.entry, expected.best),
        worstPercent: percent(levels.entry, expected.worst),
      });
      seen.filled += 1;
      if (expected.target !== null) seen.target += 1;
      if (expected.stop !== null) seen.stop += 1;
      if (expected.stopPrice !== null && expected.stopPrice < levels.stop) seen.gaps += 1;
    }
  });

  test('have all of them often enough to prove something', () => {
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(isWhole ? 5 : 2);
  });
});
