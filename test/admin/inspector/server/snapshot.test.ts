import { describe, expect, test } from 'bun:test';
import { LIMITS, snapshotOf, type SnapshotLimits } from '../../../../src/admin/inspector/server/snapshot.ts';
import { LongList } from '../../../../src/lib/inspection.ts';
import { createRedactor } from '../../../../src/lib/redact.ts';

const clock = { monotonic: () => performance.now() };
const redactor = createRedactor(['the-key-of-this-server']);
const look = (value: unknown, limits: SnapshotLimits = LIMITS) =>
  snapshotOf(value, { redactor, clock, limits });
const dataOf = async (value: unknown, limits?: SnapshotLimits) => (await look(value, limits)).data;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('what is shown', () => {
  test('is JSON, whatever it was', async () => {
    const circle: Record<string, unknown> = { name: 'a' };
    circle['self'] = circle;
    const odd = {
      ...{ nan: Number.NaN, big: 10n, gone: undefined, nothing: null, yes: true, run: () => 1 },
      ...{
        when: new Date(0),
        never: new Date(Number.NaN),
        bytes: new Uint8Array(5),
        failed: new Error('Broken'),
      },
      ...{
        map: new Map<unknown, unknown>([
          ['a', 1],
          [2, 'b'],
          [{}, 'c'],
        ]),
        set: new Set([1, 2]),
      },
      ...{ list: [undefined, [1]], circle, address: new URL('http://a/b') },
      get broken(): never {
        throw new Error('A getter that throws.');
      },
    };
    const { data } = await look(odd);
    expect(JSON.parse(JSON.stringify(data))).toEqual(data as never);
    expect(data).toEqual({
      ...{ nan: 'NaN', big: '10', nothing: null, yes: true, run: '[function]' },
      ...{ when: '1970-01-01T00:00:00.000Z', never: 'no time', bytes: '[5 bytes]', failed: 'Error: Broken' },
      ...{ map: { a: 1, 2: 'b', '[object]': 'c' }, set: [1, 2], list: [null, [1]] },
      ...{ circle: { name: 'a', self: '[circular]' }, address: 'http://a/b' },
      broken: '[could not be read]',
    });
    expect([await dataOf(null), await dataOf(undefined), await dataOf('a'), await dataOf(1)]).toEqual([
      null,
      null,
      'a',
      1,
    ]);
  });

  test('are 200 of each list and map at most, and how many there are besides', async () => {
    expect(await dataOf(numbers(200))).toEqual(numbers(200));
    expect(await dataOf(numbers(1234))).toEqual([...numbers(200), '… and 1,034 more']);
    const map = new Map(numbers(1000).map((index) => [`k${index}`, index]));
    const shown = (await dataOf(map)) as Record<string, unknown>;
    expect(Object.keys(shown)).toHaveLength(201);
    expect(shown['…']).toBe('and 800 more');
    const inner = (await dataOf({ rows: [{ ids: numbers(300) }] })) as { rows: { ids: unknown[] }[] };
    expect(inner.rows[0]?.ids).toHaveLength(201);
    expect(Object.keys((await dataOf(Object.fromEntries(map))) as object)).toHaveLength(201);
  });

  test('of a long list only what is shown is made', async () => {
    let made = 0;
    const list = new LongList(100_000, function* () {
      for (let index = 0; ; index += 1) {
        made += 1;
        yield { index };
      }
    });
    const { data, approxBytes } = await look({ list });
    expect((data as { list: unknown[] }).list).toHaveLength(201);
    expect(made).toBe(200);
    expect(approxBytes).toBeGreaterThan(1_000_000);
  });
});

describe('secrets', () => {
  test('are hidden by the name of their key, by their look and by what they are', async () => {
    const state = {
      botToken: 'x',
      passwordHash: { salt: 's' },
      map: new Map([['cookie', 'c=1']]),
      text: 'key the-key-of-this-server',
      'the-key-of-this-server': 1,
      failed: new Error('bot123456789:AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa was refused'),
      token: null,
    };
    expect(await dataOf(state)).toEqual({
      ...{ botToken: '[redacted]', passwordHash: '[redacted]', map: { cookie: '[redacted]' } },
      ...{ text: 'key [redacted]', '[redacted]': 1, token: null },
      failed: 'Error: bot[redacted] was refused',
    });
  });

  test('that a cut goes through are hidden before it', async () => {
    for (const before of [980, 990, 999]) {
      const shown = String(
        await dataOf(`${'a '.repeat(before / 2)}the-key-of-this-server${' b'.repeat(500)}`),
      );
      expect(shown).not.toContain('the-key');
    }
  });
});
describe('the event loop', () => {
  test('is not held long by much that is to be read', async () => {
    let now = 0;
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    // Each look at the stopwatch is a millisecond later, whatever the machine does.
    const ticking = { monotonic: () => (now += 1) };
    await snapshotOf(
      numbers(100).map(() => [1]),
      { redactor, clock: ticking },
    );
    isOver = true;
    expect(turns).toBeGreaterThan(10);
  });
});
