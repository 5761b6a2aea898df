import { expect, test } from 'bun:test';
import type { DayLinesAnswer } from '../../../../src/market/bars/rules/bars.ts';
import { DayLines } from '../../../../src/subjects/stock/web/shared/day/dayLines.ts';
import { aStock } from '../../../support/aStock.ts';

const FROM = Date.parse('2026-11-17T23:00:00Z');

/** Lines whose requests are answered by hand, on a clock turned by hand. */
function createStage() {
  const asked: { codes: readonly string[]; answer: PromiseWithResolvers<DayLinesAnswer> }[] = [];
  const timers: { ms: number; run: () => void }[] = [];
  const time = { passed: 0 };
  const lines = new DayLines({
    fetch(codes) {
      const answer = Promise.withResolvers<DayLinesAnswer>();
      asked.push({ codes, answer });
      return answer.promise;
    },
    after(ms, run) {
      const timer = { ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    quoteTime: () => FROM + 6 * 60_000,
    elapsed: () => time.passed,
  });
  const runTimers = () => {
    for (const { run } of timers.splice(0)) run();
  };
  const settle = async (index: number, closes: number[], more: Partial<DayLinesAnswer> = {}) => {
    const request = asked[index];
    if (!request) throw new Error('Nothing was asked for.');
    const known = request.codes.map((code) => [code, { previousClose: 0.5, closes }]);
    const answer = { date: '2026-11-18', from: FROM, slotMinutes: 5, lines: {}, unknown: [] };
    request.answer.resolve({ ...answer, lines: Object.fromEntries(known), ...more });
    await Bun.sleep(0);
  };
  return { lines, asked, timers, time, runTimers, settle };
}

const ABC = aStock({ code: 'ABC', last: 0.55 });

test('lines in sight are asked for together, each once, and go on with the price', async () => {
  const { lines, asked, runTimers, settle } = createStage();
  for (const code of ['ABC', 'DEF', 'ABC']) lines.show(code);
  expect(lines.lineOf(ABC)).toBeNull();
  runTimers();
  expect(asked.map(({ codes }) => codes)).toEqual([['ABC', 'DEF']]);
  await settle(0, [0.51]);
  expect(lines.version.value).toBe(1);
  const known = lines.lineOf(ABC);
  expect(known?.line.closes).toEqual([0.51, 0.55]);
  expect(lines.lineOf(ABC)?.line).toBe(known?.line);
});

test('a hundred at most are asked for at once', async () => {
  const { lines, asked, runTimers, settle } = createStage();
  for (let index = 0; index < 130; index += 1) lines.show(`S${index}`);
  runTimers();
  await settle(0, [0.51]);
  runTimers();
  expect(asked.map(({ codes }) => codes.length)).toEqual([100, 30]);
});

test('what failed is asked for again, later each time', async () => {
  const { lines, asked, timers, runTimers, settle } = createStage();
  lines.show('ABC');
  const waits: number[] = [];
  expect(lines.hasFailed()).toBe(false);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    runTimers();
    asked.at(-1)?.answer.reject(new Error('No network.'));
    await Bun.sleep(0);
    waits.push(timers.at(-1)?.ms ?? 0);
    expect([lines.hasFailed(), lines.version.value]).toEqual([true, attempt + 1]);
  }
  expect(waits).toEqual([5000, 15_000, 60_000, 60_000]);
  expect(lines.lineOf(ABC)).toBeNull();
  runTimers();
  await settle(4, [0.51]);
  expect(lines.hasFailed()).toBe(false);
});

test('a refresh and what comes in sight where nothing was do not wait for what failed', async () => {
  const { lines, asked, timers, runTimers } = createStage();
  const fail = async (): Promise<number | undefined> => {
    runTimers();
    asked.at(-1)?.answer.reject(new Error('No network.'));
    await Bun.sleep(0);
    return timers[0]?.ms;
  };
  const leave = lines.show('ABC');
  const soon = timers[0]?.ms ?? 0;
  expect(await fail()).toBe(5000);
  lines.refresh();
  expect(timers.map(({ ms }) => ms)).toEqual([soon]);
  expect(await fail()).toBe(5000);
  leave();
  lines.show('DEF');
  expect(timers.map(({ ms }) => ms)).toEqual([soon]);
});

test('a line that was out of sight for more than a minute is asked for anew; one that was briefly is not', async () => {
  const { lines, asked, time, runTimers, settle } = createStage();
  const leave = lines.show('ABC');
  runTimers();
  await settle(0, [0.51]);
  leave();
  time.passed += 30_000;
  const leaveAgain = lines.show('ABC');
  runTimers();
  expect(asked).toHaveLength(1);
  leaveAgain();
  time.passed += 61_000;
  lines.show('ABC');
  runTimers();
  expect(asked).toHaveLength(2);
});

test('a refresh forgets what it had, and an answer to an earlier question', async () => {
  const { lines, asked, runTimers, settle } = createStage();
  lines.show('ABC');
  runTimers();
  lines.refresh();
  runTimers();
  expect(asked).toHaveLength(2);
  await settle(0, [9]);
  expect(lines.lineOf(ABC)).toBeNull();
  await settle(1, [0.51]);
  expect(lines.lineOf(ABC)?.line.closes[0]).toBe(0.51);
});

test('a stretch that is not known is a gap', async () => {
  const { lines, runTimers, settle } = createStage();
  lines.show('ABC');
  runTimers();
  await settle(0, [0.51], { unknown: [{ from: FROM + 7 * 60_000, until: FROM + 12 * 60_000 }] });
  const isGap = lines.lineOf(ABC)?.isGap;
  expect([0, 1, 2, 3].map((slot) => isGap?.(slot))).toEqual([false, true, true, false]);
});
