import { appOf } from '#support/appOf.ts';
import { describe, expect, test } from 'bun:test';
import { InternalState } from '#admin/inspector/server/index.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { createRedactor } from '#lib/redact.ts';
import type { Part } from '#platform/app.ts';
import { eachApp } from '#support/eachApp.ts';
import { LIMITS, type SnapshotLimits, snapshotOf } from '#admin/inspector/server/snapshot.ts';
import { LongList } from '#lib/inspection.ts';

describe('internal state', () => {
  const STATE = '/api/admin/internal-state';

  type Summary = { sections: { key: string; error: string | null; stats: object }[]; fetchedAt: number };

  const app = eachApp();

  test('GET /admin/internal-state has a section with figures for each registered part', async () => {
    app.source.apply([{ code: 'BHP', last: 42.5, close: 42 }]);
    const { status, json } = await app.request('GET', STATE, { as: 'admin' });
    expect(status).toBe(200);
    const { sections, fetchedAt } = json as Summary;
    expect(fetchedAt).toBe(app.clock.now());
    const keys = sections.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const section of sections) {
      expect(section).toEqual({
        key: expect.stringMatching(/^\w+$/),
        label: expect.stringMatching(/^[A-Z]/),
        description: expect.stringMatching(/^[A-Z].*\.$/),
        type: expect.stringMatching(/^(map|list|object)$/),
        stats: expect.any(Object),
        error: null,
      } as never);
    }
    expect(sections.find(({ key }) => key === 'market')?.stats).toMatchObject({ stocks: 1 });
    expect(sections.find(({ key }) => key === 'telegramBot')?.stats).toEqual({ state: 'no token' });
  });

  describe('GET /admin/internal-state/{key}', () => {
    test('answers for every section', async () => {
      const { json } = await app.request('GET', STATE, { as: 'admin' });
      for (const { key } of (json as Summary).sections) {
        const answer = await app.request('GET', `${STATE}/${key}`, { as: 'admin' });
        expect({ key, status: answer.status }).toEqual({ key, status: 200 });
        expect(answer.json).toMatchObject({ key, approxBytes: expect.any(Number) });
      }
    });

    test('names users in login sessions, but shows no ids', async () => {
      const { json, text } = await app.request('GET', `${STATE}/accounts`, { as: 'admin' });
      expect(json).toMatchObject({ summary: { accounts: 1, open: 1 }, data: [{ username: 'admin' }] });
      const ids = app.db.$client.query<{ id: string }, []>('SELECT id FROM sessions').all();
      expect(ids).toHaveLength(1);
      for (const { id } of ids) expect(text).not.toContain(id);
    });

    test('answers 404 for an unknown section', async () => {
      for (const key of ['nothing', '__proto__', 'constructor', '%00', 'x'.repeat(100)]) {
        const answer = await app.request('GET', `${STATE}/${key}`, { as: 'admin' });
        expect(answer).toMatchObject({
          status: 404,
          json: { error: 'There is no such section. Reload the list.' },
        });
      }
    });
  });

  /** The service with parts made by the test. */
  function onParts(parts: Record<string, Part>, monotonic = () => performance.now()) {
    const lines: LogLine[] = [];
    const log = createLog((line) => lines.push(line));
    const redactor = createRedactor(['a-secret-key']);
    const clock = { now: () => 1000, monotonic };
    return { lines, service: new InternalState(appOf({ clock, log, redactor }), () => parts) };
  }

  const good: Part = {
    name: 'good',
    inspect: () => ({ label: 'Good', summary: { count: 1 }, data: () => [1] }),
  };

  test('a broken part reports its error and does not affect the others', async () => {
    const broken: Part = {
      name: 'broken',
      inspect: () => {
        throw new Error('It broke with a-secret-key.');
      },
    };
    const odd = {
      name: 'odd',
      inspect: () => ({
        label: 'Odd',
        summary: { nan: Number.NaN, gone: undefined, list: [1], text: 'x'.repeat(1000), apiToken: 'abc' },
        data: () => {
          throw new Error('No data.');
        },
      }),
    } as unknown as Part;

    const { service, lines } = onParts({ broken, good, odd });
    const { sections } = await service.sections();
    expect(sections).toEqual([
      {
        key: 'broken',
        label: 'broken',
        description: '',
        type: '',
        stats: {},
        error: 'This section could not be read. See the log for the reason.',
      },
      { key: 'good', label: 'Good', description: '', type: 'object', stats: { count: 1 }, error: null },
      {
        key: 'odd',
        label: 'Odd',
        description: '',
        type: 'object',
        error: null,
        stats: { nan: null, list: '[1]', text: 'x'.repeat(300), apiToken: '[redacted]' },
      },
    ]);
    expect(JSON.stringify(sections)).not.toContain('a-secret-key');
    expect(lines).toHaveLength(1);
  });
});

const clock = { monotonic: () => performance.now() };
const redactor = createRedactor(['the-key-of-this-server']);
const check = (value: unknown, limits: SnapshotLimits = LIMITS) =>
  snapshotOf(value, { redactor, clock, limits });
const dataOf = async (value: unknown, limits?: SnapshotLimits) => (await check(value, limits)).data;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('displayed values', () => {
  test('are valid JSON for any input', async () => {
    const circle: Record<string, unknown> = { name: 'a' };
    circle['self'] = circle;
    const odd = {
      nan: Number.NaN,
      big: 10n,
      gone: undefined,
      nothing: null,
      yes: true,
      run: () => 1,
      when: new Date(0),
      never: new Date(Number.NaN),
      bytes: new Uint8Array(5),
      failed: new Error('Broken'),
      map: new Map<unknown, unknown>([
        ['a', 1],
        [2, 'b'],
        [{}, 'c'],
      ]),
      set: new Set([1, 2]),
      list: [undefined, [1]],
      circle,
      address: new URL('http://a/b'),
      get broken(): never {
        throw new Error('A getter that throws.');
      },
    };
    const { data } = await check(odd);
    expect(JSON.parse(JSON.stringify(data))).toEqual(data as never);
    expect(data).toEqual({
      nan: 'NaN',
      big: '10',
      nothing: null,
      yes: true,
      run: '[function]',
      when: '1970-01-01T00:00:00.000Z',
      never: 'no time',
      bytes: '[5 bytes]',
      failed: 'Error: Broken',
      map: { a: 1, 2: 'b', '[object]': 'c' },
      set: [1, 2],
      list: [null, [1]],
      circle: { name: 'a', self: '[circular]' },
      address: 'http://a/b',
      broken: '[could not be read]',
    });
    expect([await dataOf(null), await dataOf(undefined), await dataOf('a'), await dataOf(1)]).toEqual([
      null,
      null,
      'a',
      1,
    ]);
  });

  test('are limited to 200 per list and map, with the total number', async () => {
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

  test('are only created for the visible part of a long list', async () => {
    let made = 0;
    const list = new LongList(100_000, function* () {
      for (let index = 0; ; index += 1) {
        made += 1;
        yield { index };
      }
    });
    const { data, approxBytes } = await check({ list });
    expect((data as { list: unknown[] }).list).toHaveLength(201);
    expect(made).toBe(200);
    expect(approxBytes).toBeGreaterThan(1_000_000);
  });
});

describe('secrets', () => {
  test('are masked by key name, by format and by value', async () => {
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
      botToken: '[redacted]',
      passwordHash: '[redacted]',
      map: { cookie: '[redacted]' },
      text: 'key [redacted]',
      '[redacted]': 1,
      token: null,
      failed: 'Error: bot[redacted] was refused',
    });
  });

  test('are masked before a text is cut', async () => {
    for (const before of [980, 990, 999]) {
      const shown = String(
        await dataOf(`${'a '.repeat(before / 2)}the-key-of-this-server${' b'.repeat(500)}`),
      );
      expect(shown).not.toContain('the-key');
    }
  });
});
