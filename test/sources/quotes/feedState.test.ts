import { describe, expect, test } from 'bun:test';
import { CLOSED } from '#lib/httpClient/pollLoop.ts';
import { type LogLine, createLog } from '#lib/log.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createMissingFields, type SourceMemory } from '#sources/answerForm.ts';
import { SCREENER_COLUMNS } from '#sources/quotes/tradingview/columns.ts';
import { delayOf, measureLag } from '#sources/quotes/tradingview/index.ts';
import {
  createLoginWatch,
  createFeedProblems,
  healthOf,
  keptLength,
  Listing,
  missingOf,
  feedProblemText,
} from '#sources/quotes/tradingview/feedState.ts';

describe('delay', () => {
  const minutes = (count: number): number => count * 60_000;
  const openSpan = { phase: 'open', since: fromSydney('2026-01-20', 9, 59, 45) } as const;
  const now = fromSydney('2026-01-20', 11, 0);
  const evidence = (update: number | null, minute: number | null) => ({
    modes: new Map<string, number>(),
    newestUpdate: update,
    newestMinute: minute,
  });

  test('uses the older evidence', () => {
    expect(measureLag(evidence(now - 1000, now - minutes(21)), openSpan, now)).toBe(minutes(20));
    expect(measureLag(evidence(now - minutes(20), null), openSpan, now)).toBe(minutes(20));
    expect(measureLag(evidence(null, now - minutes(1)), openSpan, now)).toBe(0);
  });
  test('is not measured outside continuous trading or without evidence', () => {
    expect(measureLag(evidence(now, now), { ...openSpan, phase: 'pre-cspa' }, now)).toBeNull();
    expect(measureLag(evidence(null, null), openSpan, now)).toBeNull();
  });
  test('ignores trades of the day before just after the open, and reports a frozen feed later', () => {
    const old = fromSydney('2026-01-19', 16, 11);
    expect(measureLag(evidence(old, null), openSpan, openSpan.since + minutes(10))).toBeNull();
    expect(measureLag(evidence(old, null), openSpan, now)).toBe(now - old);
  });

  const labels: [string | null, number | null, string, number][] = [
    [null, null, 'Delayed 20 min', 20],
    ['delayed_streaming_900', null, 'Delayed 15 min', 15],
    ['streaming', null, 'Delay not measured', 20],
    ['delayed_streaming_1200', minutes(0.2), 'Live', 0],
    ['delayed_streaming_900', minutes(16), 'Delayed 15 min', 15],
    ['delayed_streaming_1200', minutes(31), 'Delayed 31 min', 31],
  ];
  for (const [mode, lag, label, delayMinutes] of labels) {
    test(`${mode} measured ${lag} → ${label}`, () =>
      expect(delayOf(mode, lag)).toEqual({ label, minutes: delayMinutes }));
  }
});

test('a newest trade that is far too old is reported, only in continuous trading', () => {
  const now = fromSydney('2026-01-20', 11, 0);
  const fine = {
    circuit: CLOSED,
    failure: null,
    lastSuccess: now - 5000,
    nextAttempt: now + 5000,
    measuredLagMs: 1_200_000,
    shortList: null,
    problems: { missing: [], login: 'unchanged' as const },
  };

  const frozen = { ...fine, measuredLagMs: 45 * 60_000 };
  expect(healthOf(frozen, now).problem).toBe(
    "TradingView's newest trade is 45 minutes old, much older than its usual delay.",
  );
  expect(healthOf({ ...frozen, lastSuccess: now }, fromSydney('2026-01-20', 20, 0)).healthy).toBe(true);
});

describe('the list of stocks', () => {
  const MINUTE = 60_000;
  const codes = (count: number): ReadonlySet<string> =>
    new Set(Array.from({ length: count }, (_, index) => `S${index}`));

  test('removes a listing after three answers without it, which may return', () => {
    const listing = new Listing(() => 0);
    expect(listing.missing(new Set(['BHP', 'OLD']))).toEqual([]);
    expect(listing.missing(new Set(['BHP']))).toEqual([]);
    expect(listing.missing(new Set(['BHP']))).toEqual([]);
    expect(listing.missing(new Set(['BHP', 'NEW']))).toEqual(['OLD']);
    expect(listing.missing(new Set(['BHP', 'NEW', 'OLD']))).toEqual([]);
    expect(listing.missing(new Set(['BHP', 'NEW']))).toEqual([]);
  });

  test('removes nothing after shrinking by over a tenth until it is whole again or an hour has passed', () => {
    let passed = 0;
    const listing = new Listing(() => passed);
    /** The codes removed by an answer with this many stocks, a minute after the last one. */
    const answer = (count: number): number => {
      passed += MINUTE;
      return listing.missing(codes(count)).length;
    };
    answer(2000);
    for (let poll = 0; poll < 50; poll += 1) expect(answer(60)).toBe(0);
    expect([answer(2000), answer(2000), answer(2000), listing.shortList()]).toEqual([0, 0, 0, null]);
    for (let poll = 0; poll < 60; poll += 1) expect(answer(60)).toBe(0);
    expect(listing.shortList()).toEqual({ listed: 60, expected: 2000 });
    expect([answer(60), answer(60), answer(60)]).toEqual([0, 0, 1940]);
    expect(listing.shortList()).toBeNull();
  });

  test('compares with the previous length after a restart', () => {
    const log = createLog(() => undefined);
    const memoryOf = (value: unknown) => {
      const written: (string | null)[] = [];
      const memory = {
        read: () => written.at(-1) ?? value,
        write: (_: string, text: string | null) => void written.push(text),
      };
      return { written, open: () => new Listing(() => 0, keptLength(memory, log)) };
    };

    const { open, written } = memoryOf(null);
    const before = open();
    before.missing(codes(2000));
    before.missing(codes(2000));
    before.missing(codes(1995));
    expect(written).toEqual(['2000']);
    const after = open();
    after.missing(codes(60));
    expect(after.shortList()).toEqual({ listed: 60, expected: 2000 });
    after.missing(codes(2001));
    expect([after.shortList(), written]).toEqual([null, ['2000', '2001']]);
  });
});

describe('the problems of the feed', () => {
  const ASKED = [...SCREENER_COLUMNS, 'RSI|15'];
  const filledBut = (...empty: string[]) => ({
    filled: new Map(ASKED.map((column) => [column, empty.includes(column) ? 0 : 1])),
    rows: 2000,
  });

  describe('missing fields in an answer', () => {
    test('are named as in the tables, indicators by their name', () =>
      expect(missingOf(ASKED, filledBut('sector', 'market_cap_basic', 'RSI|15'), true)).toEqual([
        'market caps',
        'sectors',
        'RSI|15',
      ]));
    test('of two alternative columns count if both are empty, during trading', () => {
      expect(missingOf(ASKED, filledBut('VWAP|1'), true)).toEqual([]);
      expect(missingOf(ASKED, filledBut('VWAP|1', 'VWAP|5'), true)).toEqual(['VWAP']);
      expect(missingOf(ASKED, filledBut('VWAP|1', 'VWAP|5'), false)).toEqual([]);
    });
  });

  /** State kept across restarts. */
  const memoryOf = (kept: Record<string, unknown> = {}): SourceMemory => ({
    read: (key) => kept[key] ?? null,
    write: (key, value) => void (kept[key] = value),
  });

  function fixture(cookie: string | null, memory = memoryOf()) {
    const lines: LogLine[] = [];
    const log = createLog((line) => lines.push(line));
    const fields = createMissingFields({ key: 'missing', memory, clock: { now: () => 0 }, log });
    const problems = createFeedProblems(log, createLoginWatch(cookie, memory, log), fields);
    const text = () => feedProblemText(problems.current());
    const logLines = () => lines.map(({ level, message }) => `${level}: ${message}`);
    return { problems, text, logLines };
  }

  describe('a cookie across restarts', () => {
    const LOST = 'Prices are delayed: TradingView no longer accepts this server’s cookie. Renew it.';
    /** A process that receives answers of these modes. @returns its notice, and what it logged */
    const run = (memory: SourceMemory, cookie: string | null, ...modes: string[]) => {
      const { problems, text, logLines } = fixture(cookie, memory);
      for (const mode of modes) problems.note([], mode);
      return [text(), logLines()];
    };
    const LATE = 'delayed_streaming_1200';

    test('that expired is reported and logged, also by the next process, until it is renewed or works again', () => {
      const memory = memoryOf();
      expect(run(memory, 'first', 'streaming')).toEqual([null, []]);
      expect(run(memory, 'first', LATE, LATE)).toEqual([LOST, [`warn: ${LOST}`]]);
      expect(run(memory, 'first', LATE)).toEqual([LOST, [`warn: ${LOST}`]]);
      expect(run(memory, 'renewed', 'streaming')).toEqual([null, []]);
      expect(run(memory, 'renewed', LATE)).toEqual([LOST, [`warn: ${LOST}`]]);
      const again = [`warn: ${LOST}`, 'info: TradingView sends all fields again'];
      expect(run(memory, 'renewed', LATE, 'streaming')).toEqual([null, again]);
    });

    test('is not in the saved state', () => {
      const kept: Record<string, unknown> = {};
      run(memoryOf(kept), 'sessionid=a-secret', 'streaming');
      expect(Object.keys(kept)).toHaveLength(1);
      expect(JSON.stringify(kept)).not.toContain('secret');
    });
  });
});
