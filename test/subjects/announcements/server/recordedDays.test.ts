import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { addDays, fromSydney, sydneyDate } from '../../../../src/market/rules/sydneyTime.ts';
import type { Release } from '../../../../src/sources/announcements/source.ts';
import { type AsxStage, createAsxStage } from '../../../support/asxStage.ts';
import type { AsxItem } from '../../../support/fakeAsx.ts';
import { readRecordedDay } from '../../../support/recordedAnnouncements.ts';
import { recordings } from '../../../support/recordedScan.ts';

const SECOND = 1000;
/** The interval of the hours of release, spread by a tenth. */
const SOON = 22 * SECOND;
const DAYS = ['2026-01-19', '2026-01-20'] as const;

// A day is thousands of looks; how long those take is the machine's matter.
setDefaultTimeout(60_000);

let stage: AsxStage;
afterEach(() => stage.stop());

const keptOn = (date: string): Release[] =>
  [...stage.sink.kept.values()].filter(({ time }) => sydneyDate(time) === date);

/** How long after its release each announcement came, ms. */
const delays = (): number[] =>
  [...stage.sink.kept.values()].map(({ id, time }) => (stage.sink.toldAt.get(id) ?? Number.NaN) - time);

const expectEachOnce = (): void => {
  expect([...stage.sink.arrivals.values()].filter((times) => times !== 1)).toEqual([]);
  expect(stage.sink.changes).toEqual([]);
  expect(stage.sink.withdrawn).toEqual([]);
  expect(stage.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
};

/** The same announcements at the same Sydney time of another date. */
const movedTo = (items: readonly AsxItem[], date: string): AsxItem[] =>
  items.map((item) => {
    const time = Date.parse(item.date);
    const midnight = fromSydney(sydneyDate(time), 0, 0);
    const moved = fromSydney(date, 0, 0, (time - midnight) / SECOND);
    return {
      ...item,
      date: new Date(moved).toISOString(),
      documentKey: item.documentKey.replace('2924', date.replaceAll('-', '')),
    };
  });

const list = recordings();
if (list.length === 1)
  test.skip('whole recordings of announcements: skipped, as ../shared/data is absent', () => undefined);

describe.each(list)('the days of $name', ({ folder }) => {
  test('one goes by: every announcement comes once, in its place, within a look of its release', async () => {
    const { items } = readRecordedDay(folder, DAYS[0]);
    // Of a day of hundreds the morning, in which half of them come; both days are read whole below.
    const end = items.length > 100 ? fromSydney(DAYS[0], 10, 0) : fromSydney(addDays(DAYS[0], 1), 0, 0);
    const listed = items.filter(({ date }) => Date.parse(date) <= end);
    expect(listed.length).toBeGreaterThan(20);
    stage = createAsxStage({ now: fromSydney(DAYS[0], 6, 0), items });
    await stage.start();
    expect(stage.sink.kept.size).toBe(0);
    await stage.pass(end - stage.hand.now() + SOON);
    const kept = keptOn(DAYS[0]).filter(({ time }) => time <= end);
    const sensitive = (of: readonly { isPriceSensitive: boolean }[]): number =>
      of.filter(({ isPriceSensitive }) => isPriceSensitive).length;
    expect(sensitive(kept)).toBe(sensitive(listed));
    expect(kept.map(({ id }) => id).sort()).toEqual(listed.map(({ documentKey }) => documentKey).sort());
    const told = [...stage.sink.kept.values()].map(({ time }) => time);
    expect(told.every((time, at) => time >= (told[at - 1] ?? 0) - SOON)).toBe(true);
    expect(Math.max(...delays())).toBeLessThanOrEqual(SOON);
    expectEachOnce();
  });

  test('both are read at once after a start in the evening of the second', async () => {
    const days = DAYS.map((date) => readRecordedDay(folder, date));
    stage = createAsxStage({ now: fromSydney(DAYS[1], 21, 0), items: days.flatMap(({ items }) => items) });
    await stage.start();
    expect(DAYS.map((date) => keptOn(date).length)).toEqual(
      days.map(({ summaryCounts }) => summaryCounts.announcements),
    );
    expect(
      DAYS.map((date) => keptOn(date).filter(({ isPriceSensitive }) => isPriceSensitive).length),
    ).toEqual(days.map(({ summaryCounts }) => summaryCounts.priceSensitive));
    const [first] = days[1]?.items ?? [];
    expect(stage.sink.kept.get(first?.documentKey ?? '')).toMatchObject({
      ...{ code: first?.symbol, headline: first?.headline, time: Date.parse(first?.date ?? '') },
      announcementTypes: first?.announcementTypes,
    });
    expectEachOnce();
  });
});

test.each([
  ['ends', '2026-04-02', '2026-04-07'],
  ['begins', '2026-10-02', '2026-10-05'],
])('a weekend on which daylight saving %s lies between two days', async (_, before, after) => {
  const { items: recorded } = readRecordedDay(list[0]?.folder ?? '', DAYS[0]);
  const items = [...movedTo(recorded, before), ...movedTo(recorded, after)];
  stage = createAsxStage({ now: fromSydney(before, 20, 0), items });
  await stage.start();
  expect(keptOn(before).length).toBe(recorded.length);
  const end = fromSydney(after, 9, 0);
  await stage.pass(end - stage.hand.now());
  expect(keptOn(before).length).toBe(recorded.length);
  const early = items
    .map(({ date }) => Date.parse(date))
    .filter((time) => sydneyDate(time) === after && time < end);
  expect(early.length).toBeGreaterThan(3);
  expect(
    keptOn(after)
      .map(({ time }) => time)
      .sort(),
  ).toEqual(early.sort());
  expect(keptOn(addDays(after, -1)).length).toBe(0);
  const waits = keptOn(after).map(({ id, time }) => (stage.sink.toldAt.get(id) ?? Number.NaN) - time);
  expect(Math.max(...waits)).toBeLessThanOrEqual(SOON);
  expectEachOnce();
});
