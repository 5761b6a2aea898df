import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { anItem, type AsxStage, createAsxStage } from '../../../support/asxStage.ts';
import type { AsxItem } from '../../../support/fakeAsx.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LOOK = 20 * SECOND;
/** Tuesday. */
const START = fromSydney('2026-01-20', 11, 0);

const iso = (time: number): string => new Date(time).toISOString();

let stage: AsxStage;
let items: AsxItem[];
const keyAt = (at: number): string => items[at]?.documentKey ?? '';

beforeEach(async () => {
  items = Array.from({ length: 60 }, (_, at) => anItem(iso(START - at * MINUTE)));
  stage = createAsxStage({ now: START, items });
  await stage.start();
});
afterEach(() => stage.stop());

describe('a correction', () => {
  test('of the headline is told once, under the same id', async () => {
    stage.fake.correct(keyAt(3), { headline: 'Corrected', isPriceSensitive: true });
    await stage.pass(3 * LOOK);
    expect(stage.sink.changes).toEqual([keyAt(3)]);
    expect(stage.sink.kept.get(keyAt(3))).toMatchObject({ headline: 'Corrected', isPriceSensitive: true });
  });

  test('of the price-sensitive mark that changes the key is told under the same id', async () => {
    const marked = keyAt(3).replace(/-(6A\d+)$/, '_PS-$1');
    stage.fake.correct(keyAt(3), { documentKey: marked, isPriceSensitive: true });
    await stage.pass(5 * LOOK);
    expect(stage.sink.kept.size).toBe(60);
    expect(stage.sink.withdrawn).toEqual([]);
    const kept = stage.sink.kept.get(keyAt(3));
    expect(kept?.isPriceSensitive).toBe(true);
    expect(kept?.document).toBe(`${stage.fake.url}/asx-research/1.0/file/${marked}`);
  });

  test('after a restart is told under the id that it was kept by', async () => {
    const [release] = stage.sink.kept.values();
    const [item] = items;
    await stage.stop();
    if (!release || !item) throw new Error('Nothing was kept.');
    const documentKey = release.id.replace(/-(6A\d+)$/, '_PS-$1');
    stage = createAsxStage({ now: START, items: [{ ...item, documentKey }], before: [release] });
    await stage.start();
    expect([...stage.sink.kept.keys()]).toEqual([release.id]);
  });
});

describe('a document withdrawn', () => {
  test('is taken back at the second look without it', async () => {
    stage.fake.withdraw(keyAt(7));
    await stage.pass(LOOK);
    expect(stage.sink.withdrawn).toEqual([]);
    await stage.pass(LOOK);
    expect(stage.sink.withdrawn).toEqual([keyAt(7)]);
  });

  test('the newest too, but only after five minutes: an old copy of the list lacks it as well', async () => {
    stage.fake.withdraw(keyAt(0));
    await stage.pass(4 * MINUTE);
    expect(stage.sink.withdrawn).toEqual([]);
    await stage.pass(2 * MINUTE);
    expect(stage.sink.withdrawn).toEqual([keyAt(0)]);
  });

  test('while the server did not run is taken back too, also when only one look was missing', async () => {
    const before = [...stage.sink.kept.values()];
    await stage.stop();
    stage = createAsxStage({ now: START + MINUTE, items: items.filter((_, at) => at !== 7), before });
    await stage.start();
    expect(stage.sink.withdrawn).toEqual([]);
    await stage.pass(2 * LOOK);
    expect(stage.sink.withdrawn).toEqual([keyAt(7)]);
    expect(stage.sink.arrivals.size).toBe(0);
  });

  test('that is listed again comes again', async () => {
    const [, , , , , , , item] = items;
    stage.fake.withdraw(keyAt(7));
    await stage.pass(2 * LOOK);
    if (item) stage.fake.add(item);
    await stage.pass(LOOK);
    expect(stage.sink.kept.size).toBe(60);
  });

  test('far down is found when the whole day is read again', async () => {
    stage.fake.add(...Array.from({ length: 200 }, (_, at) => anItem(iso(START + at * 100))));
    await stage.pass(MINUTE);
    stage.fake.withdraw(keyAt(50));
    await stage.pass(5 * MINUTE);
    expect(stage.sink.withdrawn).toEqual([]);
    await stage.pass(15 * MINUTE);
    expect(stage.sink.withdrawn).toEqual([keyAt(50)]);
    expect(stage.sink.kept.size).toBe(259);
  });

  test.each([
    ['sparse', { kind: 'sparse', every: 3 }, 'ASX lists only'],
    ['old', { kind: 'stale', at: START - 20 * MINUTE }, null],
    ['empty', { kind: 'empty' }, 'ASX sent an empty list of announcements.'],
    ['turned round', { kind: 'oldestFirst' }, 'ASX sent its announcements in an unknown order.'],
    ['failing', { kind: 'status', status: 500 }, 'ASX answered HTTP 500.'],
  ] as const)('a list that is %s withdraws nothing', async (_, fault, problem) => {
    stage.fake.setFault(fault);
    await stage.pass(4 * MINUTE);
    if (problem !== null) expect(stage.source.health().problem).toContain(problem);
    stage.fake.setFault({ kind: 'none' });
    await stage.pass(15 * MINUTE);
    expect(stage.sink.withdrawn).toEqual([]);
    expect(stage.sink.kept.size).toBe(60);
    expect(stage.source.health()).toMatchObject({ healthy: true, problem: null });
  });
});
