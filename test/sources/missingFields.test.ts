import { describe, expect, test } from 'bun:test';
import { type LogLine, createLog } from '../../src/lib/log.ts';
import { ITEM_FIELDS } from '../../src/sources/announcements/asx/item.ts';
import { createAnswerForm } from '../../src/sources/answerForm.ts';
import { EVENT_FIELDS } from '../../src/sources/calendar/fxstreet/event.ts';
import { createLastGoodAnswer, formOf, sampleText, someOf } from '../../src/sources/lastGoodAnswer.ts';
import { createMissingFields } from '../../src/sources/missingFields.ts';
import { canTell, missingIn } from '../../src/sources/rowFields.ts';

/** A run of the server that remembers in `kept`. */
function run(kept: Record<string, string | null> = {}, write?: () => never) {
  const lines: LogLine[] = [];
  let now = 1000;
  let writes = 0;
  const fields = createMissingFields({
    key: 'missing',
    memory: {
      read: (key) => kept[key] ?? null,
      write(key, value) {
        writes += 1;
        write?.();
        kept[key] = value;
      },
    },
    clock: { now: () => now },
    log: createLog((line) => lines.push(line)),
  });
  const note = (missing: string[], isJudged?: (name: string) => boolean) => {
    now += 10;
    fields.note(missing, isJudged);
    return fields.current();
  };
  return { note, current: fields.current, writes: () => writes, setNow: (to: number) => (now = to), lines };
}

describe('missing fields', () => {
  test('count from the second answer in a row, since the first, and go with the first good one', () => {
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
  test('stay while answers can not tell', () => {
    const { note } = run();
    note(['VWAP', 'sectors']);
    note(['VWAP', 'sectors']);
    expect(note([], (name) => name !== 'VWAP')).toEqual([{ name: 'VWAP', since: 1010 }]);
    expect(note([])).toEqual([]);
  });
  test('are known to the next run, which ends them with its first good answer', () => {
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
  test('are not since a time to come, after a clock was set back', () => {
    const { note, setNow } = run();
    note(['a']);
    note(['a']);
    setNow(500);
    expect(note(['a'])).toEqual([{ name: 'a', since: 510 }]);
  });
});

describe('the form of an answer', () => {
  const item = {
    ...{ documentKey: '2924-1-2A3_NPS', symbol: 'BHP', headline: 'Cleansing Notice', url: '' },
    ...{ date: '2026-11-18T00:00:00.000Z', isPriceSensitive: false, announcementTypes: ['Cleansing Notice'] },
  };
  const event = {
    ...{ id: 'ff1f', eventId: '0150', name: 'CPI', dateUtc: '2026-11-18T00:00:00Z', countryCode: 'AU' },
    ...{ currencyCode: 'AUD', volatility: 'HIGH', actual: null },
  };
  const listOf = <T extends object>(row: T, ...without: (keyof T)[]) =>
    Array.from({ length: 20 }, () =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !without.some((one) => one === name))),
    );

  function setUp(source: string, fields: typeof ITEM_FIELDS) {
    const kept: string[] = [];
    const form = createAnswerForm({
      ...{ source, fields, log: createLog(() => {}), wall: { now: () => 5, monotonic: () => 0 } },
      keepAnswer: (name, text) => kept.push(`${name} ${text}`),
    });
    return { form, kept };
  }

  describe('the form of announcements', () => {
    test('is good where all have their fields, and a changed one names them and keeps the last good', () => {
      const { form, kept } = setUp('asx', ITEM_FIELDS);
      form.note(listOf(item), true);
      expect(kept).toEqual([]);
      form.note(listOf(item, 'announcementTypes'), true);
      form.note(listOf(item, 'announcementTypes'), true);
      expect(form.missing()).toEqual([{ name: 'types', since: 5 }]);
      expect(kept).toEqual([`asx ${JSON.stringify({ at: 5, rows: listOf(item).slice(0, 4) })}`]);
      form.note(listOf(item).slice(0, 2), true);
      expect(form.missing()).toHaveLength(1);
      form.note(listOf(item), true);
      expect(form.missing()).toEqual([]);
    });
    test('is not good where an answer is refused as a whole', () => {
      const { form, kept } = setUp('asx', ITEM_FIELDS);
      form.note(listOf(item), true);
      form.note([], false);
      expect([kept.length, form.missing()]).toEqual([1, []]);
    });
  });

  test('the form of the calendar needs no figures', () => {
    const { form } = setUp('fxstreet', EVENT_FIELDS);
    const note = (...without: (keyof typeof event)[]) => {
      for (let answer = 0; answer < 2; answer += 1) form.note(listOf(event, ...without), true);
      return form.missing().map(({ name }) => name);
    };
    expect(note('actual')).toEqual([]);
    expect(note('volatility', 'eventId')).toEqual(['impacts', 'series']);
    expect(note()).toEqual([]);
  });
});

describe('the last good answer', () => {
  function setUp() {
    const kept: string[] = [];
    let now = 0;
    const answer = createLastGoodAnswer((text) => kept.push(text), { monotonic: () => now });
    return { answer, kept, pass: (ms: number) => (now += ms) };
  }
  test('is kept once, when another form follows, and not before', () => {
    const { answer, kept } = setUp();
    answer.bad();
    answer.good({ at: 1, rows: [{ a: 1 }] });
    answer.good({ at: 2, rows: [{ a: 2 }] });
    expect(kept).toEqual([]);
    answer.bad();
    answer.bad();
    expect(kept).toEqual(['{"at":2,"rows":[{"a":2}]}']);
  });
  test('is a few rows from all over the list, small whatever they are', () => {
    expect(someOf([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([0, 2, 4, 6]);
    expect(someOf([0, 1])).toEqual([0, 1]);
    const wide = Array.from({ length: 300 }, () => 'x'.repeat(1000));
    const some = sampleText({ at: 0, rows: [{ a: 1 }, wide] });
    expect(some).toBe('{"at":0,"rows":[{"a":1}]}');
    expect(sampleText({ at: 0, rows: [wide] })).toBeNull();
    let deep: unknown = 1;
    for (let level = 0; level < 50; level += 1) deep = [deep];
    expect(sampleText({ at: 0, rows: [deep] })).toBe('{"at":0,"rows":[[[[["…"]]]]]}');
  });
  test('is given away as names of fields, figures and times alone', () => {
    const row = { headline: 'Anna wrote', 'VWAP|1': 2.5, date: '2026-11-18T00:00:00Z', ok: null, 'a b': 1 };
    const form = { headline: 'text of 10', 'VWAP|1': 2.5, date: '2026-11-18T00:00:00Z', ok: null };
    expect(formOf({ at: 1, rows: [row, ['2026-11-18', true]] })).toEqual({
      ...{ at: 1, rows: [form, ['2026-11-18', true]] },
    });
  });
});

describe('the fields of rows', () => {
  const FIELDS = [
    { name: 'names', isIn: ({ name }: Record<string, unknown>) => typeof name === 'string' },
    { name: 'types', isIn: ({ type }: Record<string, unknown>) => typeof type === 'string' },
  ];
  const rows = (count: number, lacking: number) =>
    Array.from({ length: count }, (_, at) => ({ name: 'a', ...(at >= lacking && { type: 'b' }) }));
  test('are missing where more than half lack them', () => {
    expect(missingIn(rows(20, 10), FIELDS)).toEqual([]);
    expect(missingIn(rows(20, 11), FIELDS)).toEqual(['types']);
    expect(missingIn([...rows(9, 0), ...Array.from({ length: 11 }, () => null)], FIELDS)).toEqual([
      ...['names', 'types'],
    ]);
  });
  test('of a handful of rows prove nothing', () => {
    expect(missingIn(rows(9, 9), FIELDS)).toEqual([]);
    expect([canTell(rows(9, 9)), canTell(rows(10, 0))]).toEqual([false, true]);
  });
});
