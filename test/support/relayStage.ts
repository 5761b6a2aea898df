import { afterEach } from 'bun:test';
import { createLog, type LogLine } from '../../src/lib/log.ts';
import type { SystemClock } from '../../src/lib/clock.ts';
import type { Engine } from '../../src/relays/engine/types.ts';
import { type RunningRelay, startRelay } from '../../src/relays/relay/server.ts';
import { engineStage, SECRET } from './engineStage.ts';
import { openStreamClient, type StreamClient } from './streamClient.ts';
import { waitUntil } from './waitUntil.ts';

export type RelayOptions = {
  url: string;
  primaryUrl?: string;
  clock?: SystemClock;
  /** Stands between the relay and its engine. */
  through?: (engine: Engine) => Engine;
  trustedProxies?: readonly string[];
};

export type TestRelay = RunningRelay & {
  port: number;
  lines: LogLine[];
  open(path?: string, headers?: Record<string, string>): StreamClient;
};

const WALL: SystemClock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Engines, and relays in this process, that end with the test. */
export function relayStage() {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });
  const engines = engineStage();

  async function start(options: RelayOptions): Promise<TestRelay> {
    const { url, primaryUrl = 'http://127.0.0.1:9', clock = WALL, through = (engine) => engine } = options;
    const lines: LogLine[] = [];
    const log = createLog((line) => lines.push(line));
    const relay = await startRelay(
      {
        ...{
          host: '127.0.0.1',
          port: 0,
          hsts: false,
          trustedProxies: options.trustedProxies ?? ['127.0.0.0/8'],
        },
        ...{ engineUrl: url, secret: SECRET, primaryUrl, name: 'test' },
      },
      {
        ...{ clock, log, announce: () => {}, engine: through(engines.client(url)) },
        about: { pid: 1, startedAt: 0, version: '0.0.0', commit: 'test' },
        assets: {
          respond: ({ url: asked }) => (asked.endsWith('/page') ? new Response('own page') : undefined),
        },
      },
    );
    undo.push(() => relay.stop());
    const port = Number(new URL(relay.url).port);
    return {
      ...{ ...relay, port, lines },
      open(path = '/api/data/stream', headers = { 'accept-encoding': 'gzip' }) {
        const client = openStreamClient(port, path, headers);
        undo.push(() => client.leave());
        return client;
      },
    };
  }

  return {
    engines,
    start,
    /** A relay that serves. @param say has the primary say something, so that it is heard */
    async serving(options: RelayOptions, say: () => void): Promise<TestRelay> {
      const relay = await start(options);
      const saying = setInterval(say, 50);
      try {
        await waitUntil('the relay to serve', () => relay.health().ok);
      } finally {
        clearInterval(saying);
      }
      return relay;
    },
    later: (step: () => unknown): void => void undo.push(step),
  };
}
