import { describe, expect, test } from 'bun:test';
import type {
  HistoryAnswer,
  HistoryChangesAnswer,
  HistoryDaysAnswer,
} from '#subjects/scanners/answers/history.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { readRecords } from '#subjects/scanners/server/history/store.ts';
import { historyInMemory } from '#support/historyInMemory.ts';
import { createFakeClock, createTestApp, type TestAppOptions } from '#support/testApp.ts';

const DATE = '2026-11-18';
const MINUTE = 60_000;
const at = (hour: number, minute: number, date = DATE): number => fromSydney(date, hour, minute);

type Options = TestAppOptions & { start?: number; as?: 'free' | 'basic' | 'premium' };

/** An application at 11:00 with a manual market. */
function open({ as = 'free', ...options }: Options = {}) {
  const clock = createFakeClock(options.start ?? at(11, 0));
  const app = createTestApp({ clock, ...options });
  const price = (code: string, last: number, more: object = {}) =>
    app.source.apply([
      { code, name: `${code} Limited`, open: 0.5, close: 0.5, last, vwap: 0.5, volume: 100_000, ...more },
    ]);
  /** Advances a minute and ticks. */
  const minute = () => {
    clock.advance(MINUTE);
    app.tick.run();
  };
  const read = async <Answer>(path: string) =>
    (await app.request('GET', `/api/data/tape${path}`, { as })).json as Answer;
  const rows = async (time: string, date = DATE) => {
    const { rows: found, time: recorded } = await read<HistoryAnswer>(
      `?table=intraDaySmall&date=${date}&time=${time}`,
    );
    return recorded === null ? null : found.codes;
  };
  return { ...app, price, minute, read, rows };
}

describe('the scanner history', () => {
  test('has each minute ranked with its figures', async () => {
    const fixture = open();
    fixture.price('ABC', 0.55);
    fixture.price('XYZ', 0.6);
    fixture.tick.run();
    fixture.price('ABC', 0.7);
    fixture.minute();
    expect(await fixture.rows('11:00')).toEqual(['XYZ', 'ABC']);
    expect(await fixture.rows('11:01')).toEqual(['ABC', 'XYZ']);
    const { rows, time } = await fixture.read<HistoryAnswer>(`?table=intraDaySmall&time=11:00`);
    expect(time).toBe(at(11, 0));
    expect(rows.names).toEqual(['XYZ Limited', 'ABC Limited']);
    expect(rows.values.last).toEqual([0.6, 0.55]);
    expect(rows.values.change_percent).toEqual([20, 10]);
    fixture.close();
  });

  test('lists entries and exits newest first, with the figures at that time', async () => {
    const fixture = open();
    fixture.price('ABC', 0.55);
    fixture.tick.run();
    fixture.price('XYZ', 0.6);
    fixture.minute();
    fixture.price('ABC', 0.45, { vwap: 0.6 });
    fixture.minute();
    const rows = await fixture.read<HistoryChangesAnswer>('/changes?table=intraDaySmall');
    expect(rows.rows.codes).toEqual(['ABC', 'XYZ']);
    expect(rows.entered).toEqual([false, true]);
    expect(rows.times).toEqual([at(11, 2), at(11, 1)]);
    expect(rows.rows.values.last).toEqual([0.55, 0.6]);
    const later = await fixture.read<HistoryChangesAnswer>('/changes?table=intraDaySmall&since=11:01');
    expect(later.rows.codes).toEqual(['ABC']);
    fixture.close();
  });

  test('has a marked gap while the source is silent', async () => {
    const fixture = open();
    fixture.price('ABC', 0.55);
    fixture.tick.run();
    fixture.source.setHealth({ healthy: false });
    for (let passed = 0; passed < 10; passed += 1) fixture.minute();
    fixture.source.setHealth({ healthy: true });
    fixture.minute();
    expect(await fixture.rows('11:08')).toBeNull();
    expect(await fixture.rows('11:03')).toEqual(['ABC']);
    expect(await fixture.read<HistoryDaysAnswer>('/days')).toEqual({
      days: [
        {
          date: DATE,
          spans: [
            { from: at(11, 0), to: at(11, 0) },
            { from: at(11, 11), to: at(11, 11) },
          ],
        },
      ],
    });
    // There are no entries during the gap.
    const rows = await fixture.read<HistoryChangesAnswer>('/changes?table=intraDaySmall');
    expect(rows.times).toEqual([]);
    fixture.close();
  });

  test('records the minutes again after a jump back, and keeps those before it', async () => {
    const fixture = open();
    fixture.price('ABC', 0.55);
    fixture.tick.run();
    for (let passed = 0; passed < 30; passed += 1) fixture.minute();
    fixture.clock.set(at(11, 25));
    fixture.price('XYZ', 0.6);
    fixture.tick.run();
    expect(await fixture.rows('11:24')).toEqual(['ABC']);
    expect(await fixture.rows('11:25')).toEqual(['XYZ', 'ABC']);
    expect(await fixture.rows('11:30')).toBeNull();
    fixture.clock.set(at(11, 5));
    fixture.minute();
    expect(await fixture.rows('11:05')).toEqual(['ABC']);
    expect(await fixture.rows('11:06')).toEqual(['XYZ', 'ABC']);
    expect(await fixture.rows('11:26')).toBeNull();
    fixture.close();
  });

  test('is written in segments, each minute once, and read across them', async () => {
    const historyFiles = historyInMemory();
    const fixture = open({ runtime: { historyFiles: historyFiles } });
    fixture.price('ABC', 0.55);
    fixture.tick.run();
    for (let passed = 1; passed <= 12; passed += 1) {
      if (passed === 7) fixture.price('XYZ', 0.6);
      fixture.minute();
      // Like the timer.
      if (passed % 5 === 4) fixture.parts.tape.stop();
    }
    const spans = readRecords(historyFiles.read('hand', DATE) ?? new Uint8Array()).parts;
    expect(spans.map(({ first, until }) => [first, until].map((one) => one - at(11, 0) / MINUTE))).toEqual([
      [0, 5],
      [5, 10],
    ]);
    expect(spans[1]?.goesOnFrom).toBe(spans[0]?.first ?? null);
    const killed = open({ runtime: { historyFiles: historyFiles }, start: at(11, 9), as: 'basic' });
    expect(await killed.rows('11:03')).toEqual(['ABC']);
    expect(await killed.rows('11:06')).toEqual(['ABC']);
    expect(await killed.rows('11:08')).toEqual(['XYZ', 'ABC']);
    expect(await killed.rows('11:12')).toEqual(['XYZ', 'ABC']);
    // The market was set back into the second segment.
    killed.clock.set(at(11, 7));
    killed.price('NEW', 0.9);
    killed.tick.run();
    killed.parts.tape.stop();
    expect(await killed.rows('11:06')).toEqual(['ABC']);
    expect(await killed.rows('11:07')).toEqual(['NEW']);
    expect(await killed.rows('11:08')).toEqual(['NEW']);
    killed.close();
    fixture.close();
  });
});

describe('bad input and limits', () => {
  const refused: [string, string][] = [
    ['?table=custom', 'History is not available for the custom scanner.'],
    ['?table=preMarket&time=25:00', 'Write the time as HH:MM'],
    ['/changes?table=preMarket&since=12:00&time=11:00', 'is in the future'],
  ];
  for (const [path, sentence] of refused) {
    test(path, async () => {
      const fixture = open();
      const answer = await fixture.request('GET', `/api/data/tape${path}`, { as: 'free' });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(sentence);
      fixture.close();
    });
  }
});
