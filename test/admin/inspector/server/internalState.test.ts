import { afterEach, describe, expect, test } from 'bun:test';
import { InternalState } from '../../../../src/admin/inspector/server/service.ts';
import { createLog, type LogLine } from '../../../../src/lib/log.ts';
import { createRedactor } from '../../../../src/lib/redact.ts';
import type { Part } from '../../../../src/part.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const STATE = '/api/admin/internal-state';

type Summary = { sections: { key: string; error: string | null; stats: object }[]; fetchedAt: number };

let app: TestApp | undefined;
afterEach(() => {
  app?.close();
  app = undefined;
});
const open = (options?: Parameters<typeof createTestApp>[0]): TestApp => {
  app = createTestApp(options);
  return app;
};

describe('GET /admin/internal-state', () => {
  test('has a section for each part that the composition knows, with its figures', async () => {
    const one = open();
    one.source.give([{ code: 'BHP', last: 42.5, close: 42 }]);
    const { status, json } = await one.request('GET', STATE, { as: 'admin' });
    expect(status).toBe(200);
    const { sections, fetchedAt } = json as Summary;
    expect(fetchedAt).toBe(one.clock.now());
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
});

describe('GET /admin/internal-state/{key}', () => {
  test('can be asked of every section', async () => {
    const one = open();
    const { json } = await one.request('GET', STATE, { as: 'admin' });
    for (const { key } of (json as Summary).sections) {
      const answer = await one.request('GET', `${STATE}/${key}`, { as: 'admin' });
      expect({ key, status: answer.status }).toEqual({ key, status: 200 });
      expect(answer.json).toMatchObject({ key, approxBytes: expect.any(Number) });
    }
  });

  test('of login sessions names people, and no ids', async () => {
    const one = open();
    const { json, text } = await one.request('GET', `${STATE}/accounts`, { as: 'admin' });
    expect(json).toMatchObject({ summary: { accounts: 1, open: 1 }, data: [{ username: 'admin' }] });
    const ids = one.db.$client.query<{ id: string }, []>('SELECT id FROM sessions').all();
    expect(ids).toHaveLength(1);
    for (const { id } of ids) expect(text).not.toContain(id);
  });

  test('is a 404 for a section that there is not', async () => {
    const one = open();
    for (const key of ['nothing', '__proto__', 'constructor', '%00', 'x'.repeat(100)]) {
      const answer = await one.request('GET', `${STATE}/${key}`, { as: 'admin' });
      expect(answer).toMatchObject({ status: 404, json: { error: 'The server has no such section.' } });
    }
  });
});

/** The service on parts of the test's own. */
function onParts(parts: Record<string, Part>, monotonic = () => performance.now()) {
  const lines: LogLine[] = [];
  const log = createLog((line) => lines.push(line));
  const redactor = createRedactor(['a-secret-key']);
  const clock = { now: () => 1000, monotonic };
  return { lines, service: new InternalState({ parts: () => parts, clock, log, redactor }) };
}

const good: Part = {
  name: 'good',
  inspect: () => ({ label: 'Good', summary: { count: 1 }, data: () => [1] }),
};

describe('a part that is broken', () => {
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

  test('says so, and leaves the others', async () => {
    const { service, lines } = onParts({ broken, good, odd });
    const { sections } = await service.sections();
    expect(sections).toEqual([
      {
        ...{ key: 'broken', label: 'broken', description: '', type: '', stats: {} },
        error: 'This section could not be read. The log says why.',
      },
      { key: 'good', label: 'Good', description: '', type: 'object', stats: { count: 1 }, error: null },
      {
        ...{ key: 'odd', label: 'Odd', description: '', type: 'object', error: null },
        stats: { nan: null, list: '[1]', text: 'x'.repeat(300), apiToken: '[redacted]' },
      },
    ]);
    expect(JSON.stringify(sections)).not.toContain('a-secret-key');
    expect(lines).toHaveLength(1);
  });
});

describe('much', () => {
  test('asked at once is read one after the other, and beyond what anybody asks for is refused', async () => {
    const told: string[] = [];
    const part = (name: string): Part => ({
      name,
      inspect: () => ({ label: name, summary: {}, data: () => (told.push(`read ${name}`), [name]) }),
    });
    const { service } = onParts({ a: part('a'), b: part('b') });
    const ask = async (key: string): Promise<void> => {
      await service.snapshot(key);
      told.push(`answered ${key}`);
    };
    await Promise.all(['a', 'b'].map(ask));
    expect(told).toEqual(['read a', 'answered a', 'read b', 'answered b']);
    const many = await Promise.allSettled(Array.from({ length: 200 }, () => service.snapshot('a')));
    const refused = many.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(100);
    expect(refused[0]).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '2' } } });
    expect((await service.snapshot('b')).data).toEqual(['b']);
  });
});
