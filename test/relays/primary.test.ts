import { describe, expect, test } from 'bun:test';
import { createLog, type LogLine } from '#lib/log.ts';
import { createSequence, loneMessage, toBytes } from '#platform/sse/message.ts';
import type {
  RelayReport,
  Redis,
  RedisListener,
  KeptSnapshot,
  OpenStreams,
  Placed,
  Position,
  PrimaryLock,
} from '#src/relays/redis/types.ts';
import { Primary, type PrimaryDeps } from '#src/relays/primary/primary.ts';
import { aStock } from '../support/aStock.ts';
import { stocksOf } from '../support/frameReader.ts';
import { createHandScheduler } from '../support/handScheduler.ts';

type HandEngine = Redis & {
  /** What should be published and is not confirmed yet, oldest first. */
  waiting: { placed: Placed; confirm(): void; refuse(error: Error): void }[];
  published: Placed[];
  snapshots: KeptSnapshot[];
  /** Confirms each request immediately; a test switches it off. */
  confirms: boolean;
  holder: PrimaryLock | null;
  sentReports: RelayReport[];
  own: OpenStreams | null;
  /** The age of each relay’s report, in ms by id. */
  ago: Map<string, number>;
  newestPosition: Position | null;
  /** A relay waits for an answer of the primary. */
  isAsked: boolean;
  goUp(): void;
  goDown(problem: string): void;
};

/** A Redis controlled by the test, which answers when the test decides. */
function handEngine(): HandEngine {
  const listeners: RedisListener[] = [];
  let isUp = false;
  let problem: string | null = 'not connected';
  const redis: HandEngine = {
    waiting: [],
    published: [],
    snapshots: [],
    sentReports: [],
    own: null,
    ago: new Map(),
    confirms: true,
    holder: null,
    newestPosition: null,
    isAsked: false,
    start: () => undefined,
    stop: async () => undefined,
    isUp: () => isUp,
    problem: () => problem,
    listen: (listener) => void listeners.push(listener),
    publish(placed) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const confirm = (): void => {
        redis.published.push(placed);
        resolve();
      };
      if (redis.confirms) confirm();
      else redis.waiting.push({ placed, confirm, refuse: reject });
      return promise;
    },
    newest: async () => redis.newestPosition,
    newestSealed: async () => redis.newestPosition,
    keepSnapshot: async (snapshot) => void redis.snapshots.push(snapshot),
    holdLock: async () => redis.holder,
    releaseLock: async () => undefined,
    async wasAsked() {
      const { isAsked } = redis;
      redis.isAsked = false;
      return isAsked;
    },
    askForWord: async () => void (redis.isAsked = true),
    keepOwnStreams: async (own) => void (redis.own = own),
    primaryStreams: async () => redis.own,
    reports: async () => redis.sentReports,
    ages: async () => redis.ago,
    read: async () => [],
    snapshot: async () => redis.snapshots.at(-1) ?? null,
    report: async () => undefined,
    unreport: async () => undefined,
    goUp() {
      isUp = true;
      problem = null;
      for (const { up } of listeners) up?.();
    },
    goDown(why) {
      isUp = false;
      problem = why;
      for (const { down } of listeners) down?.(why);
    },
  };
  return redis;
}

const START = Date.UTC(2026, 10, 18);
const VERSION = { protocol: 1, version: '1.0.0', commit: 'abc' };
const LOCK = { instance: 'own', name: 'here', since: START };

/** Lets everything that waits for answers of Redis continue. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

function fixture(more: Partial<PrimaryDeps> = {}) {
  const time = createHandScheduler(START);
  const redis = handEngine();
  const lines: LogLine[] = [];
  const ended: number[] = [];
  const primary = new Primary({
    engine: redis,
    clock: time,
    schedule: time.schedule,
    version: VERSION,
    lock: LOCK,
    log: createLog((line) => lines.push(line)),
    streams: { all: 100, perAddress: 10 },
    endedSessions: () => ended.splice(0),
    ...more,
  });
  const pack = createSequence();
  const signals: boolean[] = [];
  let seq = 0;
  const meta = { stockCount: 0, marketTime: START } as ReturnType<
    Parameters<Primary['connect']>[0]['whole']
  >['state']['meta'];
  const own = { pages: 4, alertPages: 2, addresses: { '192.0.2.9': 4 }, alertAddresses: {} };
  const market = {
    epoch: 'e1',
    whole: () => ({
      epoch: 'e1',
      seq,
      state: { stocks: [aStock({ code: `S${seq}` })], meta, fx: { data: {}, lastUpdated: null } },
    }),
    receivedElsewhere: (isReceived: boolean) => void signals.push(isReceived),
  };
  primary.connect(market, (least) => (least === 1 ? own : { ...own, addresses: {} }));
  return {
    time,
    engine: redis,
    lines,
    ended,
    primary,
    signals,
    publishChange(): void {
      seq += 1;
      primary.marketTap.everybody(seq, pack(toBytes(`id: e1-${seq}\n\n`)));
    },
    async begin(): Promise<void> {
      const taken = primary.acquireLock();
      redis.goUp();
      await taken;
      primary.start();
      await settle();
    },
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 500) {
        time.advance(Math.min(500, left));
        await settle();
      }
    },
  };
}

const report = (more: Partial<RelayReport>): RelayReport => ({
  id: 'a',
  name: 'sydney',
  ...VERSION,
  startedAt: 7,
  pages: 3,
  alertPages: 1,
  bytes: 900,
  position: null,
  addresses: { '192.0.2.1': 2 },
  alertAddresses: {},
  ...more,
});

describe('an epoch', () => {
  test('begins with a snapshot, followed by messages of all kinds, numbered from 1', async () => {
    const { engine, primary, publishChange, begin, ended, pass } = fixture();
    publishChange();
    await begin();
    expect(engine.snapshots.map(({ position, seq }) => [position.number, seq])).toEqual([[0, 1]]);
    expect(Object.keys(stocksOf(engine.snapshots[0] as never, []))).toEqual(['S1']);
    publishChange();
    primary.alertTap.audience('7', loneMessage(toBytes('alert')));
    primary.sessionsEnded(7);
    ended.push(8);
    await pass(1000);
    primary.marketTap.everybody(null, createSequence()(toBytes('ping')));
    primary.marketTap.closing();
    expect(engine.published.map(({ position }) => position.number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(engine.published.map(({ relayMessage }) => relayMessage.kind)).toEqual([
      'market',
      'audience',
      'sessions',
      'sessions',
      'market',
      'closing',
    ]);
    expect(engine.published[0]?.relayMessage).toMatchObject({ epoch: 'e1', seq: 2, place: 2 });
    expect(engine.published[3]?.relayMessage).toEqual({ kind: 'sessions', userId: 8 });
    expect(engine.published[4]?.relayMessage).toMatchObject({ seq: null });
    await settle();
    expect(primary.state()).toMatchObject({ isPublishing: true, problem: null, frames: 6 });
    await primary.stop();
  });

  test('stores a new snapshot every minute, after many messages and after a jump', async () => {
    const { engine, begin, publishChange, primary, pass } = fixture();
    await begin();
    await pass(50_000);
    expect(engine.snapshots).toHaveLength(1);
    await pass(10_000);
    expect(engine.snapshots).toHaveLength(2);
    for (let count = 0; count < 500; count += 1) publishChange();
    await pass(5000);
    expect(engine.snapshots).toHaveLength(3);
    primary.jumped();
    await settle();
    expect(engine.snapshots).toHaveLength(3);
    publishChange();
    await settle();
    expect(engine.snapshots).toHaveLength(4);
    expect(engine.snapshots.at(-1)).toMatchObject({ ...VERSION, position: { number: 501 }, seq: 501 });
  });

  test('ends if Redis accepts messages too slowly, and another begins with the current state', async () => {
    const { engine, begin, publishChange, primary, pass, lines } = fixture({
      limits: { messages: 20, bytes: 1 << 20 },
    });
    await begin();
    const { run } = primary.state();
    engine.confirms = false;
    for (let count = 0; count < 100; count += 1) publishChange();
    expect(engine.waiting.length).toBe(20);
    expect(primary.state()).toMatchObject({
      isPublishing: false,
      problem: 'Redis was too slow for the published messages.',
    });
    engine.confirms = true;
    for (const { confirm } of engine.waiting.splice(0)) confirm();
    await pass(1000);
    expect(engine.snapshots.at(-1)).toMatchObject({ position: { number: 0 }, seq: 100 });
    expect(primary.state().isPublishing).toBe(true);
    expect(primary.state().run).toBeGreaterThan(run ?? 0);
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});

describe('the lock', () => {
  const other = { instance: 'other', name: 'elsewhere', since: START };

  test('if lost later, stops publishing until it is regained', async () => {
    const { engine, begin, primary, pass, publishChange, lines } = fixture();
    await begin();
    engine.holder = other;
    await pass(5000);
    const before = engine.published.length;
    publishChange();
    expect(engine.published.length).toBe(before);
    expect(primary.state()).toMatchObject({ engine: { isUp: true }, isPublishing: false, run: null });
    expect(primary.state().problem).toStartWith('Another primary, on elsewhere since ');
    await pass(20_000);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    engine.holder = null;
    await pass(5000);
    expect(primary.state()).toMatchObject({ isPublishing: true, problem: null });
  });
});

test('an unreachable Redis is logged once, relays become unknown, and its return begins another epoch', async () => {
  const { engine, begin, primary, pass, publishChange, signals, lines } = fixture();
  engine.sentReports = [report({})];
  await begin();
  const { run } = primary.state();
  expect([signals.at(-1), primary.streamsElsewhere(null)]).toEqual([true, 3]);
  engine.goDown('It is gone.');
  publishChange();
  expect(primary.state()).toMatchObject({
    engine: { isUp: false, problem: 'It is gone.' },
    isPublishing: false,
    problem: null,
    run: null,
    relays: [],
  });
  expect([signals.at(-1), primary.streamsElsewhere(null)]).toEqual([false, 0]);
  await pass(10_000);
  engine.goUp();
  await settle();
  expect(primary.state().isPublishing).toBe(true);
  expect(primary.state().run).toBeGreaterThan(run ?? 0);
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ['info', 'Started publishing to Redis'],
    ['warn', 'Redis is unreachable: relays receive nothing; this server still serves its own pages'],
    ['info', 'Redis answers again'],
    ['info', 'Started publishing to Redis'],
  ]);
});

test('relays are listed by name, with their lag on the primary’s stopwatch', async () => {
  const { engine, begin, primary, pass, publishChange } = fixture();
  await begin();
  const run = primary.state().run ?? 0;
  for (let count = 0; count < 4; count += 1) {
    publishChange();
    await pass(500);
  }
  engine.sentReports = [
    report({ id: 'b', name: 'perth', position: { run, number: 4 }, commit: 'other' }),
    report({ id: 'c', name: 'hobart', position: { run: 1, number: 9 }, protocol: 2, pages: 1 }),
    report({ id: 'a', name: 'adelaide', position: { run, number: 2 } }),
  ];
  await pass(2000);
  expect(primary.state().relays).toMatchObject([
    { id: 'a', isSameVersion: true, speaksProtocol: true, lagFrames: 2, since: 7 },
    { id: 'c', speaksProtocol: false, lagFrames: null, lagMs: null },
    { id: 'b', isSameVersion: false, lagFrames: 0, lagMs: 0 },
  ]);
  // Its message 3 was published at 1,000 ms, and the reports were read between two and four seconds.
  const lagMs = primary.state().relays[0]?.lagMs ?? -1;
  expect([1000, 3000]).toContain(lagMs);
  // It reported that at 1,100 ms, before message 4 existed; then at 900 ms, before message 3.
  engine.ago.set('a', lagMs - 100 + 2000);
  await pass(2000);
  expect(primary.state().relays[0]).toMatchObject({ lagFrames: 1, lagMs: 100 });
  engine.ago.set('a', lagMs + 100 + 4000);
  await pass(2000);
  expect(primary.state().relays[0]).toMatchObject({ lagFrames: 0, lagMs: 0 });
  expect([primary.streamsElsewhere('192.0.2.1'), primary.streamsElsewhere('x')]).toEqual([6, 0]);
  expect(primary.streamsElsewhere(null)).toBe(7);
});
