import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '#src/config/config.ts';
import { openAssets } from '#platform/http/assets.ts';
import type { SystemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { startServer } from '#src/server.ts';
import { freePort, temporaryFolder } from './executable.ts';
import { noProgram } from './noProgram.ts';
import { fixtureBefore } from './fixture.ts';

/** A clock that starts at a moment, epoch ms, and runs at normal speed, whenever the test runs. */
export function clockFrom(start: number): SystemClock {
  const ahead = start - Date.now();
  return { now: () => ahead + Date.now(), monotonic: () => performance.now() };
}

/** A clock that stays at a moment, epoch ms, until it is set. */
export function fixedClock(start: number): SystemClock & { goTo(time: number): void } {
  let now = start;
  return { now: () => now, monotonic: () => performance.now(), goTo: (time) => void (now = time) };
}

/**
 * The product in this process, in test mode on its own clock, with a browser: screens do not depend on the time of the run.
 * @param env without a configured source there are neither announcements nor a calendar
 */
export async function openClockedFixture(wall: SystemClock, env: Readonly<Record<string, string>>) {
  // As the executable’s entry does; otherwise the server logs that it closes its files.
  process.umask(0o077);
  const dataDir = await temporaryFolder();
  const port = await freePort();
  /** Warnings and errors that the server logged; a test that provokes some removes them. */
  const problems: string[] = [];
  const { config } = loadConfig({
    BELLBIRD_PORT: String(port),
    BELLBIRD_HOST: '127.0.0.1',
    BELLBIRD_DATA: dataDir,
    BELLBIRD_TEST: '1',
    BELLBIRD_NEWS: 'off',
    BELLBIRD_CALENDAR: 'off',
    ...env,
  });
  const server = await startServer(config, {
    wall,
    log: createLog(({ level, message, properties }) => {
      if (level === 'warn' || level === 'error') problems.push(`${message} ${JSON.stringify(properties)}`);
    }),
    assets: openAssets(join(import.meta.dir, '..', '..', 'dist', 'web'), { fresh: false }),
    about: { pid: process.pid, startedAt: wall.now(), version: 'test', commit: 'development' },
    control: { supervisor: 'none', restart: () => {} },
    program: noProgram.program,
    announce: () => undefined,
  });
  const fixture = await fixtureBefore({
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    aheadMs: wall.now() - Date.now(),
    pid: process.pid,
    parentPid: process.pid,
    // With a level, because the fixture checks the log for complaints.
    log: () => problems.map((problem) => `server WARN ${problem}`).join('\n'),
    printed: () => Promise.reject(new Error('This server prints nothing.')),
    stop: async () => {
      await server.stop();
      return 0;
    },
  });
  return {
    fixture,
    problems,
    async close(): Promise<void> {
      await fixture.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
