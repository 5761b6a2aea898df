import { describe, expect, test } from 'bun:test';
import { DAY_LINE_SLOTS, type DayLinesAnswer } from '#market/bars/rules/dayLine.ts';
import { DayLines, LINE_HEIGHT, LINE_WIDTH, drawDayLine } from '#subjects/stock/web/shared/DayCell.tsx';
import { aStock } from '#support/aStock.ts';

const FROM = Date.parse('2026-11-17T23:00:00Z');

/** Lines whose requests the test answers, on a manual clock. */
function createFixture() {
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
    if (!request) throw new Error('There was no request.');
    const known = request.codes.map((code) => [code, { previousClose: 0.5, closes }]);
    const answer = { date: '2026-11-18', from: FROM, slotMinutes: 5, lines: {}, unknown: [] };
    request.answer.resolve({ ...answer, lines: Object.fromEntries(known), ...more });
    await Bun.sleep(0);
  };
  return { lines, asked, timers, time, runTimers, settle };
}

const ABC = aStock({ code: 'ABC', last: 0.55 });

test('visible lines are requested together, once each, and follow the price', async () => {
  const { lines, asked, runTimers, settle } = createFixture();
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

test('a failed request is repeated after growing delays', async () => {
  const { lines, asked, timers, runTimers, settle } = createFixture();
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

test('an unknown period is a gap', async () => {
  const { lines, runTimers, settle } = createFixture();
  lines.show('ABC');
  runTimers();
  await settle(0, [0.51], { unknown: [{ from: FROM + 7 * 60_000, until: FROM + 12 * 60_000 }] });
  const isGap = lines.lineOf(ABC)?.isGap;
  expect([0, 1, 2, 3].map((slot) => isGap?.(slot))).toEqual([false, true, true, false]);
});

describe('the drawing of a day', () => {
  const COLOURS = { up: 'green', down: 'red', flat: 'grey', reference: 'line' };

  /** Draws a day. @returns the steps in order: colour, then points as [x, y], px */
  function drawn(closes: (number | null)[], previousClose: number | null, gaps: readonly number[] = []) {
    const strokes: { colour: string; points: (readonly ['move' | 'line', number, number])[] }[] = [];
    const context = {
      strokeStyle: '',
      lineWidth: 0,
      clearRect: () => {},
      setLineDash: () => {},
      beginPath: () => void strokes.push({ colour: '', points: [] }),
      moveTo: (x: number, y: number) => void strokes.at(-1)?.points.push(['move', x, y]),
      lineTo: (x: number, y: number) => void strokes.at(-1)?.points.push(['line', x, y]),
      stroke(this: { strokeStyle: string }) {
        Object.assign(strokes.at(-1) ?? {}, { colour: this.strokeStyle });
      },
    };
    const known = { line: { closes, previousClose }, isGap: (slot: number) => gaps.includes(slot) };
    drawDayLine(context as unknown as CanvasRenderingContext2D, known, previousClose, COLOURS);
    return strokes;
  }

  test('runs from the left edge to the right, lowest price at the bottom and highest at the top', () => {
    const closes = Array.from({ length: DAY_LINE_SLOTS }, (_, slot) => 10 + slot);
    const [line] = drawn(closes, null);
    expect(line?.colour).toBe('grey');
    expect(line?.points[0]).toEqual(['move', 1, LINE_HEIGHT - 2]);
    expect(line?.points[1]).toEqual(['line', 2, LINE_HEIGHT - 2]);
    expect(line?.points.at(-1)).toEqual(['line', LINE_WIDTH - 2, 2]);
    expect(line?.points.at(DAY_LINE_SLOTS / 2 + 1)?.[1]).toBeCloseTo(2 + (39 / 77) * (LINE_WIDTH - 4));
  });

  test('has the colour of the change since the previous close, which is a separate line', () => {
    expect(drawn([10, 11], 10).map(({ colour }) => colour)).toEqual(['line', 'green']);
    expect(drawn([10, 9], 10).map(({ colour }) => colour)).toEqual(['line', 'red']);
    expect(drawn([9, 10], 10).map(({ colour }) => colour)).toEqual(['line', 'grey']);
    expect(drawn([], 10).map(({ colour }) => colour)).toEqual(['line']);
    expect(drawn([], null)).toEqual([]);
  });

  test('is in the middle for a single price, and breaks only at unseen periods', () => {
    const [line] = drawn([5, null, 5, null, 5], null, [3]);
    expect(line?.points.map(([kind]) => kind)).toEqual(['move', 'line', 'line', 'move', 'line']);
    for (const [, , y] of line?.points ?? []) expect(y).toBe(LINE_HEIGHT / 2);
  });
});
