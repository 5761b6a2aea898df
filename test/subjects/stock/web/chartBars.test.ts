import { expect, test } from 'bun:test';
import type { BarsAnswer } from '#market/bars/rules/barsAnswer.ts';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { ChartBars } from '#subjects/stock/web/shared/chart/chartBars.ts';
import { aStock } from '#support/aStock.ts';
import { barsOf, NO_BARS } from '#support/chartBars.ts';

const MINUTE = 60_000;
const TEN = fromSydney('2026-01-20', 10, 0);
const answerOf = (bars = NO_BARS, more: Partial<BarsAnswer> = {}): BarsAnswer => ({
  symbol: 'BHP',
  tf: '1',
  bars,
  quote: null,
  note: null,
  knownSince: TEN,
  hasMore: false,
  unknown: [],
  partial: [],
  adjustments: [],
  ...more,
});

/** A server whose answers the test gives, in the order of the requests. */
function byHand(tf: ChartTimeframe = '1') {
  const questions: { before: number | null; limit: number }[] = [];
  const waiting: PromiseWithResolvers<BarsAnswer>[] = [];
  let now = 0;
  let later: { at: number; run: () => void } | null = null;
  const bars = new ChartBars(tf, {
    fetch(before, limit) {
      questions.push({ before, limit });
      const answer = Promise.withResolvers<BarsAnswer>();
      waiting.push(answer);
      return answer.promise;
    },
    elapsed: () => now,
    later(ms, run) {
      later = { at: now + ms, run };
      return () => {
        later = null;
      };
    },
  });
  return {
    bars,
    questions,
    answer: (place: number, answer: BarsAnswer) => waiting[place]?.resolve(answer),
    fail: (place: number) => waiting[place]?.reject(new Error('gone')),
    wait: (ms: number) => {
      now += ms;
      if (later !== null && later.at <= now) later.run();
    },
  };
}

/** The same, with the first request answered. */
async function loaded(first: BarsAnswer, tf?: ChartTimeframe) {
  const fixture = byHand(tf);
  const asked = fixture.bars.refresh();
  fixture.answer(0, first);
  await asked;
  return fixture;
}
const QUOTE = { date: '2026-01-20', last: 11, high: 11, low: 10, volume: 200 };

test('the bars of a chart load once, then follow the stream without another request', async () => {
  const { bars, questions } = await loaded(answerOf(barsOf(TEN, MINUTE, [10, 11]), { quote: QUOTE }));
  const stock = aStock({ code: 'BHP', status: 'Open', open: 10, last: 12, high: 12, low: 10, volume: 250 });
  bars.take(stock, TEN + MINUTE + 5000);
  expect(bars.state.peek().bars).toMatchObject({ close: [10, 12], volume: [100, 150] });
  bars.take({ ...stock, last: 11.5, volume: 300 }, TEN + 2 * MINUTE + 5000);
  expect(bars.state.peek().bars.time).toEqual([TEN, TEN + MINUTE, TEN + 2 * MINUTE]);
  expect(bars.state.peek().bars.volume).toEqual([100, 150, 50]);
  expect(questions).toHaveLength(1);
});

test('the bars of a chart ignore a stream that is behind the server’s last quote', async () => {
  const { bars } = await loaded(answerOf(barsOf(TEN, MINUTE, [10, 11]), { quote: QUOTE }));
  bars.take(aStock({ code: 'BHP', last: 10, high: 10, low: 10, volume: 100 }), TEN + MINUTE + 900);
  expect(bars.state.peek().bars.close).toEqual([10, 11]);
});

test('the bars of a chart are reloaded once per day if a quote equals the last one of the day before', async () => {
  const day = Date.parse('2026-01-20T00:00:00Z');
  const parcel = { last: 0.003, high: 0.003, low: 0.003, volume: 5000 };
  const dayBars = barsOf(day, 86_400_000, [0.003]);
  const first = answerOf(dayBars, { tf: 'D', quote: { date: '2026-01-20', ...parcel } });
  const { bars, questions, answer } = await loaded(first, 'D');
  const stock = aStock({ code: 'BHP', status: 'Open', open: 0.003, ...parcel });
  const next = fromSydney('2026-01-21', 11, 0);
  bars.take(stock, next);
  bars.take(stock, next + MINUTE);
  expect(questions).toHaveLength(2);
  const both = barsOf(day, 86_400_000, [0.003, 0.003]);
  answer(1, answerOf(both, { tf: 'D', quote: { date: '2026-01-21', ...parcel } }));
  await Promise.resolve();
  await Promise.resolve();
  bars.take(stock, next + 2 * MINUTE);
  expect(bars.state.peek().bars.time).toHaveLength(2);
  expect(questions).toHaveLength(2);
});

test('the bars of a chart are reloaded when the source’s volume falls, but not for a stream that is behind', async () => {
  const first = answerOf(barsOf(TEN, MINUTE, [10, 11]), { quote: QUOTE });
  const { bars, questions, answer, wait } = await loaded(first);
  const stock = aStock({ code: 'BHP', last: 11, high: 11, low: 10, volume: 190 });
  wait(9999);
  bars.take(stock, TEN + MINUTE + 900);
  expect(questions).toHaveLength(1);
  // No other quote is needed.
  wait(1);
  bars.take(stock, TEN + MINUTE + 950);
  expect(questions).toHaveLength(2);
  answer(1, answerOf(barsOf(TEN, MINUTE, [10, 10.5]), { quote: { ...QUOTE, volume: 190 } }));
  await Bun.sleep(0);
  bars.take({ ...stock, last: 10.8, volume: 195 }, TEN + MINUTE + 5000);
  expect(bars.state.peek().bars).toMatchObject({ close: [10, 10.8], volume: [100, 105] });
});

test('the bars of a chart of a week are reloaded when the range of the day was corrected', async () => {
  const week = { ...barsOf(Date.UTC(2026, 0, 19), MINUTE, [11]), high: [50] };
  const first = answerOf(week, { tf: 'W', quote: { ...QUOTE, high: 50 } });
  const { bars, questions } = await loaded(first, 'W');
  const stock = aStock({ code: 'BHP', last: 11, high: 11.2, low: 10, volume: 200 });
  bars.take(stock, TEN + MINUTE);
  bars.take({ ...stock, last: 11.1, volume: 210 }, TEN + 2 * MINUTE);
  expect(questions).toHaveLength(2);
  expect(bars.state.peek().bars.close).toEqual([11.1]);
});

test('the bars of a chart are extended by older ones, one request at a time, to the end', async () => {
  const first = answerOf(barsOf(TEN, MINUTE, [3, 4]), { hasMore: true });
  const { bars, questions, answer } = await loaded(first);
  const older = bars.older();
  await bars.older();
  expect(questions.map(({ before }) => before)).toEqual([null, TEN]);
  const gap = { from: TEN - 9 * MINUTE, until: TEN - 5 * MINUTE };
  answer(1, answerOf(barsOf(TEN - 2 * MINUTE, MINUTE, [1, 2]), { unknown: [gap] }));
  await older;
  expect(bars.state.peek().bars.close).toEqual([1, 2, 3, 4]);
  expect(bars.state.peek().unknown).toEqual([gap]);
  await bars.older();
  expect(questions).toHaveLength(2);
});

test('the bars of a chart replace the shown ones on a reload and keep older ones', async () => {
  const { bars, answer } = await loaded(answerOf(barsOf(TEN, MINUTE, [1, 2, 3])));
  const again = bars.refresh();
  expect(bars.state.peek().status).toBe('ready');
  answer(1, answerOf(barsOf(TEN + 2 * MINUTE, MINUTE, [33, 44])));
  await again;
  expect(bars.state.peek().bars.close).toEqual([1, 2, 33, 44]);
  const far = bars.refresh();
  answer(2, answerOf(barsOf(TEN + 90 * MINUTE, MINUTE, [9])));
  await far;
  expect(bars.state.peek().bars.close).toEqual([9]);
});

test('the bars of a chart are all dropped when the epoch changes, and the stream waits for the answer', async () => {
  const gap = { from: TEN + 5 * MINUTE, until: TEN + 9 * MINUTE };
  const first = answerOf(barsOf(TEN, MINUTE, [1, 2, 3]), { unknown: [gap], hasMore: true });
  const { bars, answer, fail } = await loaded(first);
  const older = bars.older();
  bars.restart();
  answer(1, answerOf(barsOf(TEN - MINUTE, MINUTE, [9])));
  await older;
  bars.take(aStock({ code: 'BHP', last: 7, high: 7, low: 7, volume: 900 }), TEN + MINUTE);
  expect(bars.state.peek().bars.close).toEqual([1, 2, 3]);
  answer(2, answerOf(barsOf(TEN + MINUTE, MINUTE, [22])));
  await Bun.sleep(0);
  expect(bars.state.peek()).toMatchObject({ bars: { close: [22] }, unknown: [], hasMore: false });
  bars.restart();
  fail(3);
  await Bun.sleep(0);
  expect(bars.state.peek()).toMatchObject({ status: 'failed', bars: { close: [] } });
});

test('the bars of a chart show a failed load if there are no others, and use only the latest answer', async () => {
  const { bars, answer, fail } = byHand();
  const first = bars.refresh();
  fail(0);
  await first;
  expect(bars.state.peek().status).toBe('failed');
  const second = bars.refresh();
  expect(bars.state.peek().status).toBe('loading');
  const third = bars.refresh();
  answer(2, answerOf(barsOf(TEN, MINUTE, [5])));
  await third;
  answer(1, answerOf(barsOf(TEN, MINUTE, [4])));
  await second;
  expect(bars.state.peek().bars.close).toEqual([5]);
  const fourth = bars.refresh();
  fail(3);
  await fourth;
  expect(bars.state.peek().status).toBe('ready');
});
