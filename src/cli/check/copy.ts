import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import type { Config } from '#src/config.ts';
import { DatabaseError, migrationState, toDatabaseError } from '#platform/db/migrate.ts';
import { openDb } from '#platform/db/open.ts';
import type { Assets } from '#platform/http/assets.ts';
import { formatTime } from '#texts/format.ts';
import { createLog } from '#lib/log.ts';
import { chosenRecording } from '#sources/quotes/choose.ts';
import { startServer } from '#src/server.ts';
import { StartError } from '#lib/startError.ts';
import type { Io } from '../io.ts';

/**
 * Copies the database as it is at this moment, also beside a running server, and migrates the copy.
 * @returns what was found, completing "Database: …", and how many migrations went over the copy
 * @throws DatabaseError with a sentence
 */
export function checkDatabase(io: Io, path: string, copy: string): { found: string; migrations: number } {
  if (!existsSync(path)) return { found: 'there is none yet; the first start makes it', migrations: 0 };
  const client = new Database(path, { readonly: true, strict: true });
  let pending: number;
  try {
    client.run('PRAGMA busy_timeout = 5000');
    const result = client.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check;
    if (result !== 'ok')
      throw new DatabaseError(`The database ${path} is damaged (${result}). Restore a backup.`);
    pending = migrationState(client).pending.length;
    client.query('VACUUM INTO ?1').run(copy);
  } catch (error) {
    throw toDatabaseError(path, error);
  } finally {
    client.close();
  }
  openDb({ path: copy, copyFolder: null, now: io.wall.now() }).db.$client.close();
  const found =
    pending === 0 ? 'sound, and of this version' : `sound; ${pending} migrations went well on a copy`;
  return { found, migrations: pending };
}

/**
 * The settings of a server that nobody notices: it has no bots and no model, asks no other machine for anything and
 * sends nothing. What stands in the copied outbox is the running server's to send.
 */
export const quietly = (config: Config, dataDir: string): Config => ({
  ...config,
  dataDir,
  host: '127.0.0.1',
  port: 0,
  feed: 'ingest',
  releases: null,
  news: { ...config.news, source: 'off' },
  calendar: { ...config.calendar, source: 'off' },
  ai: { ...config.ai, url: null },
  telegram: { ...config.telegram, token: null },
  discord: { ...config.discord, token: null },
  // The copy would be taken for the running server, whose relays it would serve.
  relays: { ...config.relays, engineUrl: null, secret: null },
});

/** What is played, where the market is a recording's. @throws StartError with a sentence when it can't be played */
export function checkRecording(config: Config): string | null {
  const silent = createLog(() => {});
  const recording = chosenRecording(config, silent);
  if (recording === null) return null;
  recording.close();
  const span = `${formatTime(recording.from)} to ${formatTime(recording.until)} in Sydney`;
  const end = recording.isCutOff ? '; it was cut off, and what is whole of it can be played' : '';
  return `the session of ${recording.head.date}, ${span}${end}`;
}

/** Starts the whole server on the copied data and asks it for its health, without touching the market source. */
export async function checkStart(io: Io, config: Config, folder: string, assets: Assets): Promise<string> {
  const quiet = quietly(config, folder);
  const log = createLog(({ level, message }) => {
    if (level === 'error') io.err(message);
  });
  const server = await startServer(quiet, {
    wall: io.wall,
    log,
    assets,
    about: io.about,
    control: { supervisor: 'none', restart: () => {} },
    program: io.program,
    announce: () => {},
  });
  try {
    const health = await fetch(`${server.url}/healthz`).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StartError(`The server did not answer its health check (${reason}).`, { cause });
    });
    if (!health.ok) throw new StartError(`The server answered its health check with ${health.status}.`);
    const page = await fetch(`${server.url}/`);
    await page.body?.cancel();
    if (page.ok) return 'answers its health check and serves the web application';
    if (Bun.isStandaloneExecutable)
      throw new StartError('The web application is missing from this executable.');
    return 'answers its health check; the web application is not built';
  } finally {
    await server.stop();
  }
}
