import { join } from 'node:path';
import { loadConfig } from '#src/config/config.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { type RunningServer, type ServerContext, startServer } from '#src/server.ts';

export type TestServer = RunningServer & { lines: LogLine[]; announced: string[]; setupToken(): string };

/**
 * The whole server on a free port of 127.0.0.1, without a market source.
 * @param dataDir a folder of the test
 * @param env further settings
 * @param more other values that the process would provide
 */
export async function startTestServer(
  dataDir: string,
  env: Record<string, string> = {},
  more: Pick<ServerContext, 'redactor'> = {},
): Promise<TestServer> {
  const lines: LogLine[] = [];
  const announced: string[] = [];
  const { config } = loadConfig({
    BELLBIRD_HOST: '127.0.0.1',
    BELLBIRD_PORT: '0',
    BELLBIRD_DATA: dataDir,
    BELLBIRD_FEED: 'ingest',
    BELLBIRD_INGEST_KEY: 'a key that only tests use',
    BELLBIRD_NEWS: 'off',
    BELLBIRD_CALENDAR: 'off',
    ...env,
  });
  const server = await startServer(config, {
    wall: { now: () => Date.now(), monotonic: () => performance.now() },
    log: createLog((line) => lines.push(line)),
    assets: { respond: ({ url }) => (url.endsWith('/page') ? new Response('a page') : undefined) },
    about: { pid: 4711, startedAt: Date.now(), version: '0.0.0', commit: 'test' },
    control: { supervisor: 'none', restart: () => {} },
    program: { executable: join(dataDir, 'bellbird'), isStandalone: false, releaseKey: null, env: {} },
    announce: (line) => announced.push(line),
    ...more,
  });
  const setupToken = (): string => /setup=([\w-]+)/.exec(announced.join('\n'))?.[1] ?? '';
  return { ...server, lines, announced, setupToken };
}
