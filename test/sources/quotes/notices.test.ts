import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { createHttpClient } from '../../../src/lib/httpClient/client.ts';
import { createLog, type LogLine } from '../../../src/lib/log.ts';
import { SCREENER_COLUMNS } from '../../../src/sources/quotes/tradingview/columns.ts';
import { createNotices, missingOf, noticeText } from '../../../src/sources/quotes/tradingview/feedState.ts';
import { createTradingView } from '../../../src/sources/quotes/tradingview/index.ts';
import { createLoginWatch } from '../../../src/sources/quotes/tradingview/loginWatch.ts';
import { createMissingFields } from '../../../src/sources/missingFields.ts';
import { NO_MEMORY, type SourceMemory } from '../../../src/sources/quotes/source.ts';
import { startFakeTradingView } from '../../support/fakeTradingView.ts';
import { createHandScheduler } from '../../support/handScheduler.ts';

const ASKED = [...SCREENER_COLUMNS, 'RSI|15'];
const filledBut = (...empty: string[]) => ({
  filled: new Map(ASKED.map((column) => [column, empty.includes(column) ? 0 : 1])),
  rows: 2000,
});

describe('what an answer lacks', () => {
  test('is nothing while one row has it', () => expect(missingOf(ASKED, filledBut(), true)).toEqual([]));
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
  test('of a few rows proves nothing', () =>
    expect(missingOf(ASKED, { ...filledBut('sector'), rows: 19 }, true)).toEqual([]));
  test('that was not asked for is not missed', () =>
    expect(
      missingOf(
        ASKED.filter((column) => column !== 'sector'),
        filledBut('sector'),
        true,
      ),
    ).toEqual([]));
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

  test('name four and count the others', () => {
    const missing = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(noticeText({ missing, login: 'unchanged' })).toBe(
      'TradingView is sending no a, b, c, d and 2 more for any stock, so these stay empty.',
    );
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

  test('say nothing of a cookie where prices never were live, or where there is none', () => {
    for (const [cookie, modes] of [
      ['a session', ['delayed_streaming_1200', 'delayed_streaming_1200']],
      [null, ['streaming', 'delayed_streaming_1200']],
    ] as const) {
      const { notices, text, said } = stage(cookie);
      for (const mode of modes) notices.note([], mode);
      expect([text(), said()]).toEqual([null, []]);
    }
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

  test('is written once, and not by every answer', () => {
    let writes = 0;
    const memory = { ...NO_MEMORY, write: () => void (writes += 1) };
    run(memory, 'first', 'streaming', 'streaming', LATE, 'streaming');
    expect(writes).toBe(1);
  });

  test('of which nothing can be written costs a line, and is said in this run all the same', () => {
    const memory = {
      ...NO_MEMORY,
      write() {
        throw new Error('the disk is full');
      },
    };
    const [text, lines] = run(memory, 'first', 'streaming', LATE);
    expect(text).toBe(LOST);
    expect(lines).toHaveLength(2);
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
