import { afterEach, describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { anItem, type AsxStage, createAsxStage } from '../../../support/asxStage.ts';
import type { AsxItem } from '../../../support/fakeAsx.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Tuesday. */
const START = fromSydney('2026-01-20', 11, 0);

const iso = (time: number): string => new Date(time).toISOString();
/** This many announcements, by default one a minute, the last of them at `until`. */
const items = (count: number, until: number, everyMs = MINUTE): AsxItem[] =>
  Array.from({ length: count }, (_, at) => anItem(iso(until - at * everyMs)));

let stage: AsxStage;
afterEach(() => stage.stop());

const headlines = (): string[] => [...stage.sink.kept.values()].map(({ headline }) => headline);

describe('a look at the list', () => {
  test('brings each announcement with a link made of its key, and the time in UTC', async () => {
    const item = anItem('2026-01-19T23:25:06.000Z', {
      ...{ symbol: 'TAR', headline: ' Cleansing  Notice ', isPriceSensitive: true },
      announcementTypes: ['Cleansing Notice', 'Trading Halt'],
      documentKey: '2924-03049860-6A1308887',
    });
    stage = createAsxStage({ now: START, items: [item, anItem('2025-12-01T00:00:00.000Z')] });
    await stage.start();
    const url = `${stage.fake.url}/asx-research/1.0/file/2924-03049860-6A1308887`;
    expect([...stage.sink.kept.values()]).toEqual([
      {
        ...{ id: '2924-03049860-6A1308887', code: 'TAR', headline: 'Cleansing  Notice', url, document: url },
        announcementTypes: ['Cleansing Notice', 'Trading Halt'],
        isPriceSensitive: true,
        time: Date.UTC(2026, 0, 19, 23, 25, 6),
      },
    ]);
    expect(stage.source.health()).toEqual({ healthy: true, problem: null, lastSuccess: START });
  });

  test('asks as the exchange’s own page does', async () => {
    stage = createAsxStage({ now: START, items: items(3, START) });
    await stage.start();
    const [request] = stage.fake.requests;
    expect(request?.headers.get('referer')).toBe(
      'https://www.asx.com.au/markets/trade-our-cash-market/announcements',
    );
    expect(request?.headers.get('origin')).toBe('https://www.asx.com.au');
    expect(request?.headers.get('accept')).toBe('application/json');
  });

  test('goes down to the beginning of the previous trading day at first, then to what is known', async () => {
    const friday = fromSydney('2026-01-23', 8, 0);
    const tooOld = anItem(iso(fromSydney('2026-01-22', 23, 59)));
    // Tuesday after the holiday of Monday 26 January.
    const now = fromSydney('2026-01-27', 9, 0);
    const all = [...items(250, now), anItem(iso(friday)), tooOld];
    stage = createAsxStage({ now, items: all });
    await stage.start();
    expect(stage.fake.requests.map(({ page }) => page)).toEqual([0, 1, 2]);
    expect(stage.sink.kept.size).toBe(251);
    stage.fake.add(...items(3, now + 10 * SECOND));
    await stage.pass(20 * SECOND);
    expect(stage.fake.requests.map(({ page }) => page)).toEqual([0, 1, 2, 0]);
    expect(stage.sink.kept.size).toBe(254);
  });

  test('loses nothing when a page failed: what is beneath it is read with the next look', async () => {
    stage = createAsxStage({ now: START, items: items(340, START) });
    stage.fake.setFault({ kind: 'failsAfterPage', page: 1 });
    await stage.start();
    expect(stage.sink.kept.size).toBe(200);
    expect(stage.source.health().problem).toContain('ASX answered HTTP 502.');
    stage.fake.setFault({ kind: 'none' });
    stage.fake.add(...items(2, START + 10 * SECOND));
    await stage.pass(MINUTE);
    expect(stage.sink.kept.size).toBe(342);
  });

  test('loses nothing when new ones push others to the next page meanwhile', async () => {
    stage = createAsxStage({ now: START, items: items(450, START - MINUTE) });
    let pushed = 0;
    stage.fake.onPage(() => {
      pushed += 1;
      if (pushed <= 4) stage.fake.add(...items(30, START, 1000));
    });
    await stage.start();
    await stage.pass(MINUTE);
    expect(stage.sink.kept.size).toBe(450 + 4 * 30);
    expect([...stage.sink.arrivals.values()].every((times) => times === 1)).toBe(true);
    expect(stage.sink.withdrawn).toEqual([]);
  });

  test('finds what moved up over the end of a page while one above it was withdrawn', async () => {
    const all = items(250, START);
    stage = createAsxStage({ now: START, items: all });
    let done = false;
    stage.fake.onPage((page) => {
      if (page === 0 && !done) stage.fake.withdraw(all[50]?.documentKey ?? '');
      done = true;
    });
    await stage.start();
    expect(stage.sink.kept.size).toBe(249);
    await stage.pass(2 * MINUTE);
    expect(stage.sink.kept.size).toBe(249);
    expect(headlines()).toContain(all[100]?.headline ?? '');
    expect(stage.sink.withdrawn).toEqual([all[50]?.documentKey ?? '']);
  });

  test('does not take one that was found by its company for the end of what is unknown', async () => {
    const all = items(50, START);
    stage = createAsxStage({ now: START, items: all });
    await stage.start();
    stage.fake.setFault({ kind: 'failsAfterPage', page: -1 });
    await stage.pass(20 * SECOND);
    const burst = items(180, START + 20 * SECOND, 100).map((item) => ({ ...item, symbol: 'CBA' }));
    const [own] = burst.slice(10);
    if (!own) throw new Error('No burst');
    stage.fake.add(...burst, { ...own, symbol: 'XYZ' });
    stage.fake.setFault({ kind: 'none' });
    expect(await stage.source.refresh('XYZ')).toBeNull();
    await stage.pass(2 * MINUTE);
    expect(stage.sink.kept.size).toBe(230);
  });

  test('brings again what could not be kept', async () => {
    stage = createAsxStage({ now: START, items: items(30, START) });
    stage.sink.failNext();
    await stage.start();
    expect(stage.sink.kept.size).toBe(0);
    expect(stage.source.health().healthy).toBe(false);
    await stage.pass(MINUTE);
    expect(stage.sink.kept.size).toBe(30);
    expect(stage.source.health().healthy).toBe(true);
  });
});
