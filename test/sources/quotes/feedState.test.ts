import { describe, expect, test } from 'bun:test';
import { CLOSED } from '../../../src/lib/httpClient/circuit.ts';
import { createHttpClient } from '../../../src/lib/httpClient/client.ts';
import { type LogLine, createLog } from '../../../src/lib/log.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { createMissingFields } from '../../../src/sources/missingFields.ts';
import type { SourceMemory } from '../../../src/sources/quotes/source.ts';
import { buildScanRequest, scanUrl } from '../../../src/sources/quotes/tradingview/answer.ts';
import { SCREENER_COLUMNS } from '../../../src/sources/quotes/tradingview/columns.ts';
import { delayOf, measureLag } from '../../../src/sources/quotes/tradingview/delay.ts';
import {
  createNotices,
  healthOf,
  missingOf,
  noticeText,
} from '../../../src/sources/quotes/tradingview/feedState.ts';
import { createTradingView } from '../../../src/sources/quotes/tradingview/index.ts';
import { Listing, keptLength } from '../../../src/sources/quotes/tradingview/listing.ts';
import { createLoginWatch } from '../../../src/sources/quotes/tradingview/loginWatch.ts';
import { startFakeTradingView } from '../../support/fakeTradingView.ts';
import { createHandScheduler } from '../../support/handScheduler.ts';

describe('request', () => {
  test('any form of the base address gives the same scan address', () => {
    for (const base of ['http://h:1', 'http://h:1/', 'http://h:1//', ' http://h:1/ ']) {
      expect(scanUrl(base)).toBe('http://h:1/australia/scan');
    }
    expect(scanUrl('https://h/proxy/')).toBe('https://h/proxy/australia/scan');
  });

  test('one range over the whole market, sorted by name, of every class of listing', () => {
    const request = buildScanRequest({
      url: 'http://h',
      cookie: null,
      columns: ['name', 'close'],
      timeoutMs: 1000,
    });
    expect(JSON.parse(request.body)).toMatchObject({
      markets: ['australia'],
      columns: ['name', 'close'],
      range: [0, 5000],
      sort: { sortBy: 'name' },
      filter: [{ left: 'type', operation: 'in_range', right: ['stock', 'dr', 'fund'] }],
    });
    expect(request.headers).not.toHaveProperty('cookie');
  });
});

describe('delay', () => {
  const minutes = (count: number): number => count * 60_000;
  const openSpan = { phase: 'open', since: fromSydney('2026-01-20', 9, 59, 45) } as const;
  const now = fromSydney('2026-01-20', 11, 0);
  const evidence = (update: number | null, minute: number | null) => ({
    modes: new Map<string, number>(),
    newestUpdate: update,
    newestMinute: minute,
  });

  test('the older clue is believed', () => {
    expect(measureLag(evidence(now - 1000, now - minutes(21)), openSpan, now)).toBe(minutes(20));
    expect(measureLag(evidence(now - minutes(20), null), openSpan, now)).toBe(minutes(20));
    expect(measureLag(evidence(null, now - minutes(1)), openSpan, now)).toBe(0);
  });
  test('not measured outside continuous trading, nor without clues', () => {
    expect(measureLag(evidence(now, now), { ...openSpan, phase: 'pre-cspa' }, now)).toBeNull();
    expect(measureLag(evidence(null, null), openSpan, now)).toBeNull();
  });
  test('trades of the day before tell nothing just after the open, and of a frozen feed later', () => {
    const old = fromSydney('2026-01-19', 16, 11);
    expect(measureLag(evidence(old, null), openSpan, openSpan.since + minutes(10))).toBeNull();
    expect(measureLag(evidence(old, null), openSpan, now)).toBe(now - old);
  });

  const labels: [string | null, number | null, string, number][] = [
    [null, null, 'Delayed 20 min', 20],
    ['delayed_streaming_1200', null, 'Delayed 20 min', 20],
    ['delayed_streaming_900', null, 'Delayed 15 min', 15],
    ['streaming', null, 'Delay not measured yet', 20],
    ['streaming', minutes(0.2), 'Live', 0],
    ['delayed_streaming_1200', minutes(0.2), 'Live', 0],
    ['streaming', minutes(21), 'Delayed 20 min', 20],
    ['delayed_streaming_1200', minutes(22), 'Delayed 20 min', 20],
    ['delayed_streaming_900', minutes(16), 'Delayed 15 min', 15],
    ['delayed_streaming_1200', minutes(31), 'Delayed 31 min', 31],
    ['delayed_streaming_1200', minutes(600), 'Prices 10 h old', 600],
  ];
  for (const [mode, lag, label, delayMinutes] of labels) {
    test(`${mode} measured ${lag} → ${label}`, () =>
      expect(delayOf(mode, lag)).toEqual({ label, minutes: delayMinutes }));
  }
});

describe('health', () => {
  const now = fromSydney('2026-01-20', 11, 0);
  const fine = {
    circuit: CLOSED,
    failure: null,
    lastSuccess: now - 5000,
    nextAttempt: now + 5000,
    measuredLagMs: 1_200_000,
    shortList: null,
    notices: { missing: [], login: 'unchanged' as const },
  };
  test('a failed poll says what happened, how old the prices are and when it goes on', () =>
    expect(
      healthOf(
        {
          ...fine,
          failure: 'answered HTTP 503',
          circuit: { state: 'open', failures: 5, until: now + 120_000 },
          nextAttempt: now + 120_000,
        },
        now,
      ).problem,
    ).toBe(
      'TradingView answered HTTP 503. The prices shown are 5 seconds old. Paused after 5 failures in a row. Next try in 2 minutes.',
    ));
  test('a newest trade that is far too old, in continuous trading only', () => {
    const frozen = { ...fine, measuredLagMs: 45 * 60_000 };
    expect(healthOf(frozen, now).problem).toBe(
      "TradingView's newest trade is 45 minutes old, much older than its usual delay.",
    );
    expect(healthOf({ ...frozen, lastSuccess: now }, fromSydney('2026-01-20', 20, 0)).healthy).toBe(true);
  });
});

describe('the list of stocks', () => {
  const MINUTE = 60_000;
  const codes = (count: number): ReadonlySet<string> =>
    new Set(Array.from({ length: count }, (_, index) => `S${index}`));

  function setUp() {
    let passed = 0;
    const listing = new Listing(() => passed);
    /** What is taken off by an answer with this many stocks, a minute after the last one. */
    const answer = (count: number): number => {
      passed += MINUTE;
      return listing.missing(codes(count)).length;
    };
    return { listing, answer };
  }

  test('a listing is gone after three answers without it, and may come back', () => {
    const listing = new Listing(() => 0);
    expect(listing.missing(new Set(['BHP', 'OLD']))).toEqual([]);
    expect(listing.missing(new Set(['BHP']))).toEqual([]);
    expect(listing.missing(new Set(['BHP']))).toEqual([]);
    expect(listing.missing(new Set(['BHP', 'NEW']))).toEqual(['OLD']);
    expect(listing.missing(new Set(['BHP', 'NEW', 'OLD']))).toEqual([]);
    expect(listing.missing(new Set(['BHP', 'NEW']))).toEqual([]);
  });

  describe('a list that shrinks by more than a tenth', () => {
    test('takes nothing off, however often it comes, until it is whole again', () => {
      const { listing, answer } = setUp();
      answer(2000);
      for (let poll = 0; poll < 50; poll += 1) expect(answer(60)).toBe(0);
      expect(listing.shortList()).toEqual({ listed: 60, expected: 2000 });
      expect([answer(2000), answer(2000), answer(2000)]).toEqual([0, 0, 0]);
      expect(listing.shortList()).toBeNull();
    });

    test('is believed after an hour', () => {
      const { listing, answer } = setUp();
      answer(2000);
      for (let poll = 0; poll < 60; poll += 1) expect(answer(60)).toBe(0);
      expect([answer(60), answer(60), answer(60)]).toEqual([0, 0, 1940]);
      expect(listing.shortList()).toBeNull();
    });

    test('in many small steps is short as well', () => {
      const { listing, answer } = setUp();
      let length = 2000;
      let gone = 0;
      for (let poll = 0; poll < 50; poll += 1) {
        gone += answer(length);
        length = Math.floor(length * 0.95);
      }
      expect(gone).toBeLessThanOrEqual(200);
      expect(listing.shortList()?.expected).toBe(2000);
    });
  });

  describe('over a restart', () => {
    const log = createLog(() => undefined);
    const memoryOf = (value: unknown) => {
      const written: (string | null)[] = [];
      const memory = {
        read: () => written.at(-1) ?? value,
        write: (_: string, text: string | null) => void written.push(text),
      };
      return { written, open: () => new Listing(() => 0, keptLength(memory, log)) };
    };

    test('a list is measured by the length of before', () => {
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

    test.each([[null], ['x'], ['-5'], ['1e99'], ['2.5'], [{}]])(
      'what can’t be read (%p) measures nothing',
      (kept) => {
        const listing = memoryOf(kept).open();
        listing.missing(codes(3));
        expect(listing.shortList()).toBeNull();
      },
    );
  });
});

describe('the notices of the feed', () => {
  const ASKED = [...SCREENER_COLUMNS, 'RSI|15'];
  const filledBut = (...empty: string[]) => ({
    filled: new Map(ASKED.map((column) => [column, empty.includes(column) ? 0 : 1])),
    rows: 2000,
  });

  describe('what an answer lacks', () => {
    test('is said in the words of the tables, an indicator by its name', () =>
      expect(missingOf(ASKED, filledBut('sector', 'market_cap_basic', 'RSI|15'), true)).toEqual([
        'market caps',
        'sectors',
        'RSI|15',
      ]));
    test('of two columns that stand in for each other counts when both are empty, in trading', () => {
      expect(missingOf(ASKED, filledBut('VWAP|1'), true)).toEqual([]);
      expect(missingOf(ASKED, filledBut('VWAP|1', 'VWAP|5'), true)).toEqual(['VWAP']);
      expect(missingOf(ASKED, filledBut('VWAP|1', 'VWAP|5'), false)).toEqual([]);
    });
  });

  /** What is kept over restarts. */
  const memoryOf = (kept: Record<string, unknown> = {}): SourceMemory => ({
    read: (key) => kept[key] ?? null,
    write: (key, value) => void (kept[key] = value),
  });

  function stage(cookie: string | null, memory = memoryOf()) {
    const lines: LogLine[] = [];
    const log = createLog((line) => lines.push(line));
    const fields = createMissingFields({ key: 'missing', memory, clock: { now: () => 0 }, log });
    const notices = createNotices(log, createLoginWatch(cookie, memory, log), fields);
    const text = () => noticeText(notices.current());
    const said = () => lines.map(({ level, message }) => `${level}: ${message}`);
    return { notices, text, said };
  }

  describe('notices', () => {
    test('come with the second answer in a row, once in the log, and go with the first good one', () => {
      const { notices, text, said } = stage(null);
      notices.note(['sectors'], null);
      expect(text()).toBeNull();
      for (let answer = 0; answer < 5; answer += 1) notices.note(['sectors'], null);
      expect(text()).toBe('TradingView is sending no sectors for any stock, so these stay empty.');
      notices.note([], null);
      expect(text()).toBeNull();
      expect(said()).toEqual([
        'warn: TradingView is sending no sectors for any stock, so these stay empty.',
        'info: TradingView sends everything again',
      ]);
    });

    test('say when a cookie no longer makes prices live, until it does again', () => {
      const { notices, text, said } = stage('a session');
      notices.note([], 'streaming');
      expect(text()).toBeNull();
      notices.note([], 'delayed_streaming_1200');
      notices.note([], 'delayed_streaming_1200');
      const sentence =
        'Prices are delayed: TradingView no longer accepts this server’s sign-in. Renew its cookie.';
      expect(text()).toBe(sentence);
      notices.note([], 'streaming');
      expect([text(), said()]).toEqual([
        null,
        [`warn: ${sentence}`, 'info: TradingView sends everything again'],
      ]);
    });
  });

  describe('a cookie over restarts', () => {
    const LOST = 'Prices are delayed: TradingView no longer accepts this server’s sign-in. Renew its cookie.';
    const NOT_TAKEN =
      'Prices are still delayed: the new cookie does not make them live, as the one before did.';
    /** A process that gets answers of these modes. @returns what it says, and what it logged */
    const run = (memory: SourceMemory, cookie: string | null, ...modes: string[]) => {
      const { notices, text, said } = stage(cookie, memory);
      for (const mode of modes) notices.note([], mode);
      return [text(), said()];
    };
    const LATE = 'delayed_streaming_1200';

    test('that expired meanwhile is said by the next process, in its log too, until it is renewed', () => {
      const memory = memoryOf();
      expect(run(memory, 'first', 'streaming')).toEqual([null, []]);
      expect(run(memory, 'first', LATE, LATE)).toEqual([LOST, [`warn: ${LOST}`]]);
      expect(run(memory, 'first', LATE)).toEqual([LOST, [`warn: ${LOST}`]]);
      expect(run(memory, 'renewed', 'streaming')).toEqual([null, []]);
      expect(run(memory, 'renewed', LATE)).toEqual([LOST, [`warn: ${LOST}`]]);
    });

    test('that is renewed with one that is no better is said to be so', () => {
      const memory = memoryOf();
      run(memory, 'first', 'streaming');
      expect(run(memory, 'mistyped', LATE)).toEqual([NOT_TAKEN, [`warn: ${NOT_TAKEN}`]]);
    });

    test('whose account never gave live prices is nothing to say, and one that was taken out neither', () => {
      const memory = memoryOf();
      expect(run(memory, 'first', LATE)).toEqual([null, []]);
      run(memory, 'first', 'streaming');
      expect(run(memory, null, LATE)).toEqual([null, []]);
      expect(run(memory, 'another account', LATE)).toEqual([null, []]);
    });

    test('does not stand in what is kept', () => {
      const kept: Record<string, unknown> = {};
      run(memoryOf(kept), 'sessionid=a-secret', 'streaming');
      expect(Object.keys(kept)).toHaveLength(1);
      expect(JSON.stringify(kept)).not.toContain('secret');
    });
  });

  test('the source says both while its prices go on, and nothing when all comes again', async () => {
    const hand = createHandScheduler(fromSydney('2026-01-20', 11, 0));
    const cells = {
      type: 'stock',
      typespecs: ['common'],
      close: 2,
      open: 2,
      high: 2,
      low: 2,
      volume: 9,
      change: 1,
    };
    const rows = Array.from({ length: 30 }, (_, at) => ({
      symbol: `ASX:A${at}`,
      cells: new Map<string, unknown>(
        Object.entries({ ...cells, name: `A${at}`, description: 'A', market_cap_basic: 9, sector: 'Energy' }),
      ),
    }));
    const fake = startFakeTradingView({ rows, now: hand.now, lagMs: 0, updateMode: 'streaming' });
    const lines: LogLine[] = [];
    const source = createTradingView({
      ...{ url: fake.url, cookie: 'a session', pollSeconds: 10, wall: hand, schedule: hand.schedule },
      log: createLog((line) => lines.push(line)),
      http: createHttpClient({ clock: hand, schedule: hand.schedule }),
      keepAnswer: (name, text) => kept.push(`${name} ${text}`),
    });
    let applied = 0;
    const kept: string[] = [];
    const settled = async () => {
      while (source.details().nextAttempt === null) await Bun.sleep(1);
    };
    const polls = async (count: number) => {
      for (let poll = 0; poll < count; poll += 1) {
        hand.advance(15_000);
        await settled();
      }
    };
    try {
      await source.start({
        apply: (updates) => {
          applied = updates.length;
          return { applied, refused: [] };
        },
        remove: () => expect.unreachable(),
        jump: () => expect.unreachable(),
      });
      await settled();
      await polls(2);
      const before = source.health().problem;
      expect(kept).toEqual([]);
      expect(before).not.toContain('sectors');
      const withoutSectors = (_: string, column: string) => (column === 'sector' ? null : undefined);
      fake.set({ updateMode: 'delayed_streaming_1200', lagMs: 20 * 60_000, override: withoutSectors });
      await polls(2);
      const { healthy, problem } = source.health();
      expect([healthy, applied]).toEqual([true, 30]);
      expect(problem).toContain('TradingView no longer accepts this server’s sign-in.');
      expect(problem).toContain('sectors');
      expect(source.missing?.()).toContainEqual({ name: 'sectors', since: expect.any(Number) });
      fake.set({ updateMode: 'streaming', lagMs: 0, override: () => undefined });
      await polls(1);
      expect(source.health().problem).toBe(before);
      expect(source.missing?.().map(({ name }) => name)).not.toContain('sectors');
      expect(
        lines.filter(({ level, message }) => level === 'warn' && message.includes('sectors')),
      ).toHaveLength(1);
    } finally {
      await source.stop();
      await fake.stop();
    }
  });
});
