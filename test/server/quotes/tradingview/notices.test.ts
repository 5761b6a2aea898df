import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../../src/domain/market/sydneyTime.ts';
import { createHttpClient } from '../../../../src/lib/httpClient/client.ts';
import { createLog, type LogLine } from '../../../../src/lib/log.ts';
import { SCREENER_COLUMNS } from '../../../../src/sources/quotes/tradingview/columns.ts';
import { createNotices, missingOf, noticeText } from '../../../../src/sources/quotes/tradingview/notices.ts';
import { createTradingView } from '../../../../src/sources/quotes/tradingview/index.ts';
import { startFakeTradingView } from '../../../support/fakeTradingView.ts';
import { createHandScheduler } from '../../../support/handScheduler.ts';

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

function stage(hasCookie: boolean) {
  const lines: LogLine[] = [];
  const notices = createNotices(
    createLog((line) => lines.push(line)),
    hasCookie,
  );
  const text = () => noticeText(notices.current());
  const said = () => lines.map(({ level, message }) => `${level}: ${message}`);
  return { notices, text, said };
}

describe('notices', () => {
  test('come with the second answer in a row, once in the log, and go with the first good one', () => {
    const { notices, text, said } = stage(false);
    notices.note(['sectors'], null);
    expect(text()).toBeNull();
    for (let answer = 0; answer < 5; answer += 1) notices.note(['sectors'], null);
    expect(text()).toBe('TradingView sends no sectors for any stock, so these stay empty.');
    notices.note([], null);
    expect(text()).toBeNull();
    expect(said()).toEqual([
      'warn: TradingView sends no sectors for any stock, so these stay empty.',
      'info: TradingView sends everything again',
    ]);
  });

  test('name four and count the others', () => {
    const missing = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(noticeText({ missing, isLoginLost: false })).toBe(
      'TradingView sends no a, b, c, d and 2 more for any stock, so these stay empty.',
    );
  });

  test('say when a cookie no longer makes prices live, until it does again', () => {
    const { notices, text, said } = stage(true);
    notices.note([], 'streaming');
    expect(text()).toBeNull();
    notices.note([], 'delayed_streaming_1200');
    notices.note([], 'delayed_streaming_1200');
    const sentence =
      'Prices are delayed now: TradingView no longer takes this server for signed in. Its cookie has to be renewed.';
    expect(text()).toBe(sentence);
    notices.note([], 'streaming');
    expect([text(), said()]).toEqual([
      null,
      [`warn: ${sentence}`, 'info: TradingView sends everything again'],
    ]);
  });

  test('say nothing of a cookie where prices never were live, or where there is none', () => {
    for (const [hasCookie, modes] of [
      [true, ['delayed_streaming_1200', 'delayed_streaming_1200']],
      [false, ['streaming', 'delayed_streaming_1200']],
    ] as const) {
      const { notices, text, said } = stage(hasCookie);
      for (const mode of modes) notices.note([], mode);
      expect([text(), said()]).toEqual([null, []]);
    }
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
  });
  let applied = 0;
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
    expect(before).not.toContain('sectors');
    const withoutSectors = (_: string, column: string) => (column === 'sector' ? null : undefined);
    fake.set({ updateMode: 'delayed_streaming_1200', lagMs: 20 * 60_000, override: withoutSectors });
    await polls(2);
    const { healthy, problem } = source.health();
    expect([healthy, applied]).toEqual([true, 30]);
    expect(problem).toContain('TradingView no longer takes this server for signed in.');
    expect(problem).toContain('sectors');
    fake.set({ updateMode: 'streaming', lagMs: 0, override: () => undefined });
    await polls(1);
    expect(source.health().problem).toBe(before);
    expect(
      lines.filter(({ level, message }) => level === 'warn' && message.includes('sectors')),
    ).toHaveLength(1);
  } finally {
    await source.stop();
    await fake.stop();
  }
});
