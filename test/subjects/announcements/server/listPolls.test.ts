import { describe, afterEach, expect, test, beforeEach } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import { anItem, type AsxFixture, createAsxFixture } from '#support/asxFixture.ts';
import type { AsxItem } from '#support/fakeAsx.ts';
import { firstTimeOf, waitAt } from '#sources/announcements/asx/index.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Tuesday. */
const START = fromSydney('2026-01-20', 11, 0);

const iso = (time: number): string => new Date(time).toISOString();

describe('a poll of the list', () => {
  /** This many announcements, by default one per minute, the last of them at `until`. */
  const items = (count: number, until: number, everyMs = MINUTE): AsxItem[] =>
    Array.from({ length: count }, (_, at) => anItem(iso(until - at * everyMs)));

  let fixture: AsxFixture;
  afterEach(() => fixture.stop());

  test('sends the same request as the exchange’s own page', async () => {
    fixture = createAsxFixture({ now: START, items: items(3, START) });
    await fixture.start();
    expect(fixture.source.health()).toEqual({ healthy: true, problem: null, lastSuccess: START });
    const [request] = fixture.fake.requests;
    expect(request?.headers.get('referer')).toBe(
      'https://www.asx.com.au/markets/trade-our-cash-market/announcements',
    );
    expect(request?.headers.get('origin')).toBe('https://www.asx.com.au');
    expect(request?.headers.get('accept')).toBe('application/json');
  });

  test('first reads back to the start of the previous trading day, then to the first known one', async () => {
    const friday = fromSydney('2026-01-23', 8, 0);
    const tooOld = anItem(iso(fromSydney('2026-01-22', 23, 59)));
    // Tuesday after the holiday of Monday 26 January.
    const now = fromSydney('2026-01-27', 9, 0);
    const all = [...items(250, now), anItem(iso(friday)), tooOld];
    fixture = createAsxFixture({ now, items: all });
    await fixture.start();
    expect(fixture.fake.requests.map(({ page }) => page)).toEqual([0, 1, 2]);
    expect(fixture.sink.kept.size).toBe(251);
    fixture.fake.add(...items(3, now + 10 * SECOND));
    await fixture.pass(20 * SECOND);
    expect(fixture.fake.requests.map(({ page }) => page)).toEqual([0, 1, 2, 0]);
    expect(fixture.sink.kept.size).toBe(254);
  });

  test('loses nothing when a page fails, because the next poll reads the rest', async () => {
    fixture = createAsxFixture({ now: START, items: items(340, START) });
    fixture.fake.setFault({ kind: 'failsAfterPage', page: 1 });
    await fixture.start();
    expect(fixture.sink.kept.size).toBe(200);
    expect(fixture.source.health().problem).toContain('ASX answered HTTP 502.');
    fixture.fake.setFault({ kind: 'none' });
    fixture.fake.add(...items(2, START + 10 * SECOND));
    await fixture.pass(MINUTE);
    expect(fixture.sink.kept.size).toBe(342);
  });

  test('loses nothing when new announcements move others to the next page', async () => {
    fixture = createAsxFixture({ now: START, items: items(450, START - MINUTE) });
    let pushed = 0;
    fixture.fake.onPage(() => {
      pushed += 1;
      if (pushed <= 4) fixture.fake.add(...items(30, START, 1000));
    });
    await fixture.start();
    await fixture.pass(MINUTE);
    expect(fixture.sink.kept.size).toBe(450 + 4 * 30);
    expect([...fixture.sink.arrivals.values()].every((times) => times === 1)).toBe(true);
    expect(fixture.sink.withdrawn).toEqual([]);
  });
});

describe('a change in the list', () => {
  const POLL = 20 * SECOND;

  let fixture: AsxFixture;
  let items: AsxItem[];
  const keyAt = (at: number): string => items[at]?.documentKey ?? '';

  beforeEach(async () => {
    items = Array.from({ length: 60 }, (_, at) => anItem(iso(START - at * MINUTE)));
    fixture = createAsxFixture({ now: START, items });
    await fixture.start();
  });
  afterEach(() => fixture.stop());

  describe('a correction', () => {
    test('of the headline is delivered once, under the same id', async () => {
      fixture.fake.correct(keyAt(3), { headline: 'Corrected', isPriceSensitive: true });
      await fixture.pass(3 * POLL);
      expect(fixture.sink.changes).toEqual([keyAt(3)]);
      expect(fixture.sink.kept.get(keyAt(3))).toMatchObject({
        headline: 'Corrected',
        isPriceSensitive: true,
      });
    });

    test('of the price-sensitive mark, which changes the key, keeps the id', async () => {
      const marked = keyAt(3).replace(/-(6A\d+)$/, '_PS-$1');
      fixture.fake.correct(keyAt(3), { documentKey: marked, isPriceSensitive: true });
      await fixture.pass(5 * POLL);
      expect(fixture.sink.kept.size).toBe(60);
      expect(fixture.sink.withdrawn).toEqual([]);
      const kept = fixture.sink.kept.get(keyAt(3));
      expect(kept?.isPriceSensitive).toBe(true);
      expect(kept?.document).toBe(`${fixture.fake.url}/asx-research/1.0/file/${marked}`);
    });
  });

  describe('a withdrawn document', () => {
    test('is removed at the second poll without it', async () => {
      fixture.fake.withdraw(keyAt(7));
      await fixture.pass(POLL);
      expect(fixture.sink.withdrawn).toEqual([]);
      await fixture.pass(POLL);
      expect(fixture.sink.withdrawn).toEqual([keyAt(7)]);
    });

    test('is removed after five minutes if it is the newest, because an old copy lacks it too', async () => {
      fixture.fake.withdraw(keyAt(0));
      await fixture.pass(4 * MINUTE);
      expect(fixture.sink.withdrawn).toEqual([]);
      await fixture.pass(2 * MINUTE);
      expect(fixture.sink.withdrawn).toEqual([keyAt(0)]);
    });

    test.each([
      ['sparse', { kind: 'sparse', every: 3 }, 'ASX lists only'],
      ['old', { kind: 'stale', at: START - 20 * MINUTE }, null],
      ['empty', { kind: 'empty' }, 'ASX sent an empty list of announcements.'],
      ['turned round', { kind: 'oldestFirst' }, 'ASX sent its announcements in an unknown order.'],
      ['failing', { kind: 'status', status: 500 }, 'ASX answered HTTP 500.'],
    ] as const)('a list that is %s withdraws nothing', async (_, fault, problem) => {
      fixture.fake.setFault(fault);
      await fixture.pass(4 * MINUTE);
      if (problem !== null) expect(fixture.source.health().problem).toContain(problem);
      fixture.fake.setFault({ kind: 'none' });
      await fixture.pass(15 * MINUTE);
      expect(fixture.sink.withdrawn).toEqual([]);
      expect(fixture.sink.kept.size).toBe(60);
      expect(fixture.source.health()).toMatchObject({ healthy: true, problem: null });
    });
  });
});

describe('the polling interval', () => {
  test.each([
    ['a trading day, before', '2026-11-18', 7, 0, 5 * MINUTE],
    ['shortly before its start', '2026-11-18', 7, 28, 2 * MINUTE],
    ['from 07:30', '2026-11-18', 7, 30, 20 * SECOND],
    ['until 20:30', '2026-11-18', 20, 29, 20 * SECOND],
    ['afterwards', '2026-11-18', 20, 30, 5 * MINUTE],
    ['a Saturday', '2026-11-21', 11, 0, 5 * MINUTE],
    ['a holiday', '2026-01-26', 11, 0, 5 * MINUTE],
    ['the night after it', '2026-01-27', 7, 26, 4 * MINUTE],
    // Sydney’s clock went back on 5 April (a Sunday) and forward on 4 October: UTC differs, local hours do not.
    ['the Tuesday after daylight saving ended', '2026-04-07', 7, 30, 20 * SECOND],
    ['just before', '2026-04-07', 7, 29, MINUTE],
    ['the Monday after it began', '2026-10-05', 7, 30, 20 * SECOND],
    ['its evening', '2026-10-05', 20, 31, 5 * MINUTE],
  ])('%s (%s %d:%d)', (_, date, hour, minute, wait) => {
    expect(waitAt(fromSydney(date, hour, minute))).toBe(wait);
  });

  test.each([
    ['Tuesday', '2026-11-17', '2026-11-16'],
    ['Monday', '2026-11-16', '2026-11-13'],
    ['Sunday', '2026-11-15', '2026-11-13'],
    ['the day after Easter', '2026-04-07', '2026-04-02'],
    ['the Sunday on which daylight saving ends', '2026-04-05', '2026-04-02'],
    ['the Monday after it began', '2026-10-05', '2026-10-02'],
  ])('reads back to the midnight of the previous trading day: %s', (_, date, first) => {
    expect(firstTimeOf(fromSydney(date, 12, 0))).toBe(fromSydney(first, 0, 0));
  });
});
