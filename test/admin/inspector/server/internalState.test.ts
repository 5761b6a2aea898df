import { afterEach, describe, expect, test } from 'bun:test';
import { InternalState } from '../../../../src/admin/inspector/server/service.ts';
import { createLog, type LogLine } from '../../../../src/lib/log.ts';
import { createRedactor } from '../../../../src/lib/redact.ts';
import { createMarket } from '../../../../src/market/market.ts';
import type { Part } from '../../../../src/part.ts';
import { createFakeClock, createTestApp, type TestApp } from '../../../support/testApp.ts';

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
    const expected = ['market', 'feed', 'stream', 'alertStream', 'values', 'indicators', 'alerts', 'outbox'];
    const more = [
      'telegramBot',
      'discordBot',
      'announcements',
      'calendar',
      'calls',
      'accounts',
      'checkpoints',
      'backups',
      'nightly',
    ];
    for (const key of [...expected, ...more, 'process', 'endpointCalls', 'requestLog', 'tick']) {
      expect(keys).toContain(key);
    }
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
  test('gives what a part holds, how large it is and when that was', async () => {
    const one = open();
    one.source.give([{ code: 'BHP', name: 'BHP Group', last: 42.5, close: 42 }]);
    const { status, json } = await one.request('GET', `${STATE}/market`, { as: 'admin' });
    expect(status).toBe(200);
    expect(json).toEqual({
      ...{ key: 'market', label: 'Market', type: 'map', fetchedAt: one.clock.now() },
      description: 'The record of every stock as it stands now.',
      data: { BHP: expect.objectContaining({ code: 'BHP', last: 42.5 }) },
      summary: { stocks: 1, date: '2026-11-18' },
      approxBytes: expect.any(Number),
      approxHumanSize: expect.stringMatching(/^\d+(\.\d)? (B|KB)$/),
    });
  });

  test('can be asked of every section', async () => {
    const one = open();
    const { json } = await one.request('GET', STATE, { as: 'admin' });
    for (const { key } of (json as Summary).sections) {
      const answer = await one.request('GET', `${STATE}/${key}`, { as: 'admin' });
      expect({ key, status: answer.status }).toEqual({ key, status: 200 });
      expect(answer.json).toMatchObject({ key, approxBytes: expect.any(Number) });
    }
  });

  test('of the database tells its size and about how many rows each table has', async () => {
    const one = open();
    await one.user('premium');
    const { json } = await one.request('GET', `${STATE}/checkpoints`, { as: 'admin' });
    expect(json).toMatchObject({
      label: 'Database',
      data: { pageSize: 4096, writeAheadLog: 0, rowsAtMost: { users: 2, sessions: 2, calls: 0 } },
    });
    const { pages, file } = (json as { data: { pages: number; file: number } }).data;
    expect(file).toBe(pages * 4096);
  });

  test('of login sessions names people, and no ids', async () => {
    const one = open();
    const { json, text } = await one.request('GET', `${STATE}/accounts`, { as: 'admin' });
    expect(json).toMatchObject({ summary: { accounts: 1, open: 1 }, data: [{ username: 'admin' }] });
    const ids = one.db.$client.query<{ id: string }, []>('SELECT id FROM sessions').all();
    expect(ids).toHaveLength(1);
    for (const { id } of ids) expect(text).not.toContain(id);
  });

  for (const key of ['nothing', '__proto__', 'constructor', 'toString', '%00', 'x'.repeat(100)]) {
    test(`is a 404 for ${key.slice(0, 20)}`, async () => {
      const answer = await open().request('GET', `${STATE}/${key}`, { as: 'admin' });
      expect(answer).toMatchObject({ status: 404, json: { error: 'The server has no such section.' } });
    });
  }
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

  test('is refused with a sentence when it is looked into', async () => {
    const { service } = onParts({ broken, odd });
    for (const key of ['broken', 'odd']) {
      const refused = await service.snapshot(key).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        status: 500,
        message: 'This section could not be read. The log says why.',
      });
    }
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

  test('of 2,000 stocks and 100,000 alerts is read in slices, and only in part', async () => {
    const market = createMarket({ clock: createFakeClock() });
    market.apply(
      Array.from({ length: 2000 }, (_, index) => ({
        code: `S${index}`,
        name: `Stock ${index}`,
        last: 1 + index,
      })),
    );
    const alerts = new Map(
      Array.from({ length: 100_000 }, (_, id) => [id, { id, symbol: 'BHP', name: `A ${id}` }]),
    );
    const parts: Record<string, Part> = {
      market: { name: 'market', inspect: () => ({ label: 'Market', summary: {}, data: () => market.all() }) },
      alerts: { name: 'alerts', inspect: () => ({ label: 'Alerts', summary: {}, data: () => alerts }) },
    };
    // Each look at the clock finds a millisecond gone, so the slices do not depend on the machine.
    let looks = 0;
    const { service } = onParts(parts, () => {
      looks += 1;
      return looks;
    });
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const found = await service.snapshot('market');
    expect(found.approxBytes).toBeGreaterThan(500_000);
    expect((await service.snapshot('alerts')).approxBytes).toBeGreaterThan(3_000_000);
    isOver = true;
    expect(turns).toBeGreaterThan(looks / 10);
    // Two hundred of each are read, not all.
    expect(looks).toBeGreaterThan(400);
    expect(looks).toBeLessThan(30_000);
  });
});
