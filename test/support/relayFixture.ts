import { afterEach } from 'bun:test';
import { createLog } from '#lib/log.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Redis } from '#src/relays/redis/types.ts';
import { type RunningRelay, startRelay } from '#src/relays/relay/server.ts';
import { engineFixture, SECRET } from './engineFixture.ts';
import { createHandPrimary, type HandPrimary, type HandPrimaryOptions } from './handPrimary.ts';
import type { RedisServer } from './redisServer.ts';
import { openStreamClient, type StreamClient } from './streamClient.ts';
import { waitUntil } from './waitUntil.ts';

export type RelayOptions = {
  url: string;
  primaryUrl?: string;
  clock?: SystemClock;
  /** A proxy between the relay and its Redis. */
  through?: (engine: Redis) => Redis;
  trustedProxies?: readonly string[];
};

export type TestRelay = RunningRelay & {
  open(path?: string, headers?: Record<string, string>): StreamClient;
  /** The answer to a caller who opens a stream and leaves. */
  status(path?: string, address?: string): Promise<number>;
};

const MARKET = '/api/data/stream';

/** Whether a page received an event that the primary numbers. */
export const hasId = ({ events }: StreamClient): boolean => events.some(({ id }) => id !== null);

const WALL: SystemClock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Redis servers, and relays in this process, that end with the test. */
export function relayFixture() {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });
  const engines = engineFixture();

  async function start(options: RelayOptions): Promise<TestRelay> {
    const { url, primaryUrl = 'http://127.0.0.1:9', clock = WALL, through = (engine) => engine } = options;
    const relay = await startRelay(
      {
        host: '127.0.0.1',
        port: 0,
        hsts: false,
        trustedProxies: options.trustedProxies ?? ['127.0.0.0/8'],
        engineUrl: url,
        secret: SECRET,
        primaryUrl,
        name: 'test',
      },
      {
        clock,
        log: createLog(() => {}),
        announce: () => {},
        engine: through(engines.client(url)),
        about: { pid: 1, startedAt: 0, version: '0.0.0', commit: 'test' },
        assets: {
          respond: ({ url: asked }) => (asked.endsWith('/page') ? new Response('own page') : undefined),
        },
      },
    );
    undo.push(() => relay.stop());
    const port = Number(new URL(relay.url).port);
    return {
      ...relay,
      open(path = MARKET, headers = { 'accept-encoding': 'gzip' }) {
        const client = openStreamClient(port, path, headers);
        undo.push(() => client.leave());
        return client;
      },
      async status(path = MARKET, address = '203.0.113.1') {
        const caller = new AbortController();
        const headers = { 'x-forwarded-for': address };
        const { status } = await fetch(relay.url + path, { headers, signal: caller.signal });
        caller.abort();
        return status;
      },
    };
  }

  /** A serving relay. @param primary publishes an event, so that it is heard */
  async function serving(primary: HandPrimary, options: RelayOptions): Promise<TestRelay> {
    const relay = await start(options);
    const timer = setInterval(() => primary.tick(), 50);
    try {
      await waitUntil('the relay to serve', () => relay.health().ok);
    } finally {
      clearInterval(timer);
    }
    return relay;
  }

  return {
    engines,
    start,
    /** A Redis, and a manual primary with a snapshot in it. */
    async begun(options?: HandPrimaryOptions, server?: RedisServer) {
      const redis = server ?? (await engines.redis());
      const { url } = redis;
      const engine = await engines.connected(url);
      const primary = createHandPrimary(engine, options);
      await primary.keep();
      const relayOf = (more: Partial<RelayOptions> = {}) => serving(primary, { url, ...more });
      return { url, engine, primary, relayOf };
    },
    /** Has a primary publish events until the test is over. */
    talk(primary: HandPrimary): void {
      const timer = setInterval(() => primary.tick(), 50);
      undo.push(() => {
        clearInterval(timer);
        // Redis stops next, and would refuse pending messages.
        return primary.sent();
      });
    },
    /** A server in the primary’s place. */
    serve(answer: (request: Request) => Response | Promise<Response>) {
      const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer });
      undo.push(() => server.stop(true));
      const port = server.port ?? 0;
      return { port, url: `http://127.0.0.1:${port}`, stop: () => server.stop(true) };
    },
    later: (step: () => unknown): void => void undo.push(step),
  };
}
