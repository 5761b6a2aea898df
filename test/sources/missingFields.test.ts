import { describe, expect, test } from 'bun:test';
import { createLog } from '#lib/log.ts';
import { ITEM_FIELDS } from '#sources/announcements/asx/item.ts';
import {
  createAnswerForm,
  createLastGoodAnswer,
  createMissingFields,
  formOf,
  missingIn,
} from '#sources/answerForm.ts';

const log = createLog(() => {});

/** A run of the server that remembers in `kept`. */
function run(kept: Record<string, string | null> = {}) {
  let now = 1000;
  const fields = createMissingFields({
    key: 'missing',
    memory: { read: (key) => kept[key] ?? null, write: (key, value) => void (kept[key] = value) },
    clock: { now: () => now },
    log,
  });
  const note = (missing: string[], isJudged?: (name: string) => boolean) => {
    now += 10;
    fields.note(missing, isJudged);
    return fields.current();
  };
  return { note, current: fields.current, setNow: (to: number) => (now = to) };
}

describe('missing fields', () => {
  test('count from the second answer in a row, dated from the first, until a good one', () => {
    const { note } = run();
    expect(note(['VWAP'])).toEqual([]);
    expect(note([])).toEqual([]);
    expect(note(['VWAP'])).toEqual([]);
    expect(note(['VWAP', 'sectors'])).toEqual([{ name: 'VWAP', since: 1030 }]);
    expect(note(['sectors', 'VWAP'])).toEqual([
      { name: 'VWAP', since: 1030 },
      { name: 'sectors', since: 1040 },
    ]);
    expect(note(['sectors'])).toEqual([{ name: 'sectors', since: 1040 }]);
    expect(note([])).toEqual([]);
  });
  test('stay while answers are inconclusive', () => {
    const { note } = run();
    note(['VWAP', 'sectors']);
    note(['VWAP', 'sectors']);
    expect(note([], (name) => name !== 'VWAP')).toEqual([{ name: 'VWAP', since: 1010 }]);
    expect(note([])).toEqual([]);
  });
  test('are remembered by the next run, which clears them with its first good answer', () => {
    const kept = {};
    const first = run(kept);
    first.note(['VWAP']);
    first.note(['VWAP']);
    const second = run(kept);
    second.setNow(9000);
    expect(second.current()).toEqual([{ name: 'VWAP', since: 1010 }]);
    expect(second.note(['VWAP'])).toEqual([{ name: 'VWAP', since: 1010 }]);
    expect(second.note([])).toEqual([]);
    expect(run(kept).current()).toEqual([]);
  });
});

test('missing fields are named if the format changed, and the last good answer is kept', () => {
  const item = {
    documentKey: '2924-1-2A3_NPS',
    symbol: 'BHP',
    headline: 'Cleansing Notice',
    url: '',
    date: '2026-11-18T00:00:00.000Z',
    isPriceSensitive: false,
  };
  const bad = Array.from({ length: 20 }, () => item);
  const good = bad.map((one) => ({ ...one, announcementTypes: ['Cleansing Notice'] }));
  const kept: string[] = [];
  const form = createAnswerForm({
    source: 'asx',
    fields: ITEM_FIELDS,
    log,
    wall: { now: () => 5, monotonic: () => 0 },
    keepAnswer: (name, text) => kept.push(`${name} ${text}`),
  });
  form.note(good, true);
  expect(kept).toEqual([]);
  form.note(bad, true);
  form.note(bad, true);
  expect(form.missing()).toEqual([{ name: 'types', since: 5 }]);
  expect(kept).toEqual([`asx ${JSON.stringify({ at: 5, rows: good.slice(0, 4) })}`]);
  form.note(good.slice(0, 2), true);
  expect(form.missing()).toHaveLength(1);
  form.note(good, true);
  expect(form.missing()).toEqual([]);
});

describe('the last good answer', () => {
  test('is saved once, when the format changes, not earlier', () => {
    const kept: string[] = [];
    const answer = createLastGoodAnswer((text) => kept.push(text), { monotonic: () => 0 });
    answer.bad();
    answer.good({ at: 1, rows: [{ a: 1 }] });
    answer.good({ at: 2, rows: [{ a: 2 }] });
    expect(kept).toEqual([]);
    answer.bad();
    answer.bad();
    expect(kept).toEqual(['{"at":2,"rows":[{"a":2}]}']);
  });
  test('contains only field names, figures and times when saved', () => {
    const row = { headline: 'Anna wrote', 'VWAP|1': 2.5, date: '2026-11-18T00:00:00Z', ok: null, 'a b': 1 };
    const form = { headline: 'text of 10', 'VWAP|1': 2.5, date: '2026-11-18T00:00:00Z', ok: null };
    expect(formOf({ at: 1, rows: [row, ['2026-11-18', true]] })).toEqual({
      at: 1,
      rows: [form, ['2026-11-18', true]],
    });
  });
});

test('row fields are missing if more than half of the rows lack them', () => {
  const FIELDS = [
    { name: 'names', isIn: ({ name }: Record<string, unknown>) => typeof name === 'string' },
    { name: 'types', isIn: ({ type }: Record<string, unknown>) => typeof type === 'string' },
  ];
  const rows = (count: number, lacking: number) =>
    Array.from({ length: count }, (_, at) => ({ name: 'a', ...(at >= lacking && { type: 'b' }) }));

  expect(missingIn(rows(20, 10), FIELDS)).toEqual([]);
  expect(missingIn(rows(20, 11), FIELDS)).toEqual(['types']);
  expect(missingIn([...rows(9, 0), ...Array.from({ length: 11 }, () => null)], FIELDS)).toEqual([
    'names',
    'types',
  ]);
});
