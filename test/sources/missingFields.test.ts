import { describe, expect, test } from 'bun:test';
import { createLog, type LogLine } from '../../src/lib/log.ts';
import { createMissingFields, readMissing } from '../../src/sources/missingFields.ts';

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
  test('are written when they change, and not by every answer', () => {
    const { note, writes } = run();
    for (const missing of [[], ['a'], ['a'], ['a'], ['a'], [], []]) note(missing);
    expect(writes()).toBe(2);
  });
  test('are said in this run where they can not be kept', () => {
    const { note, lines } = run({}, () => {
      throw new Error('the disk is full');
    });
    note(['a']);
    expect(note(['a'])).toHaveLength(1);
    expect(lines.map(({ level }) => level)).toEqual(['warn']);
  });
  test('are not since a time to come, after a clock was set back', () => {
    const { note, setNow } = run();
    note(['a']);
    note(['a']);
    setNow(500);
    expect(note(['a'])).toEqual([{ name: 'a', since: 510 }]);
  });
  test('that can not be read are none', () => {
    for (const kept of [null, 7, '', '{', '[]', '"a"', '{"a":"b"}', `{"${'a'.repeat(101)}":1}`])
      expect(readMissing(kept).size).toBe(0);
    expect(readMissing('{"a":1,"b":null}')).toEqual(new Map([['a', 1]]));
  });
});
