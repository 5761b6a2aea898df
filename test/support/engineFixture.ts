import { afterEach } from 'bun:test';
import { createLog, type LogLine } from '#lib/log.ts';
import { createRedis, type RedisClientOptions } from '#src/relays/redis/redis.ts';
import type { MarketMessage, Placed } from '#src/relays/redis/relayMessage.ts';
import { type RedisOptions, type RedisServer, startRedis } from './redisServer.ts';
import { waitUntil } from './waitUntil.ts';

export const SECRET = 'a secret of thirty-two characters';

type Client = ReturnType<typeof createRedis> & {
  /** What its listeners received. */
  fired: string[];
  lines: LogLine[];
};

/** Creates Redis servers and clients that end with their test. */
export function engineFixture() {
  const undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  return {
    async redis(options?: RedisOptions): Promise<RedisServer> {
      const server = await startRedis(options);
      undo.push(() => server.stop());
      return server;
    },
    client(url: string, options: Partial<RedisClientOptions> = {}): Client {
      const lines: LogLine[] = [];
      const fired: string[] = [];
      const clock = { monotonic: () => performance.now() };
      const log = createLog((line) => lines.push(line));
      const engine = createRedis({ url, secret: SECRET, clock, log, ...options });
      engine.listen({ up: () => fired.push('up'), down: (problem) => fired.push(`down: ${problem}`) });
      engine.start();
      undo.push(() => engine.stop());
      return { ...engine, fired, lines };
    },
    async connected(url: string, options: Partial<RedisClientOptions> = {}): Promise<Client> {
      const client = this.client(url, options);
      await waitUntil('Redis', () => client.isUp());
      return client;
    },
  };
}

/** A market message with some bytes. */
export function aFrame(text: string, seq: number | null = null): MarketMessage {
  return { kind: 'market', epoch: 'e1', seq, place: 0, reach: 0, block: new TextEncoder().encode(text) };
}

export const at = (run: number, number: number, text = `${run}-${number}`): Placed => ({
  position: { run, number },
  relayMessage: aFrame(text),
});

export const textsOf = (placed: readonly Placed[]): string[] =>
  placed.map(({ relayMessage: frame }) =>
    frame.kind === 'market' ? new TextDecoder().decode(frame.block) : frame.kind,
  );

/** The reason of a rejected promise. @throws if it is not rejected */
export async function errorOf(refused: Promise<unknown>): Promise<unknown> {
  try {
    await refused;
  } catch (error) {
    return error;
  }
  throw new Error('The promise was not rejected.');
}

/** The message of a rejected promise. @throws if it is not rejected */
export async function problemOf(refused: Promise<unknown>): Promise<string> {
  const error = await errorOf(refused);
  return error instanceof Error ? error.message : String(error);
}
