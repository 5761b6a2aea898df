import { MINUTE_MS } from '#lib/units.ts';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lowerPriority, ownCommand } from '#lib/processes.ts';
import type { Log } from '#lib/log.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import { SUPPORT } from '../contract.ts';

export type SupportWriter = () => Promise<Uint8Array<ArrayBuffer> | null>;

/** Time limit, ms. Counting the rows of a large database on a slow card takes this long at most. */
const TIMEOUT_MS = 60_000;

/** Creates the archive in a separate process with this process's settings. */
export const createSupportWriter =
  (
    env: Readonly<Record<string, string | undefined>>,
    command: (...args: readonly string[]) => readonly string[] = ownCommand,
  ): SupportWriter =>
  async () => {
    // Readable only by this user, and deleted after reading.
    const folder = mkdtempSync(join(tmpdir(), 'bellbird-support-'));
    const file = join(folder, 'support.tar.gz');
    try {
      const child = Bun.spawn([...command('write-support', file)], {
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'inherit',
        env: { ...env },
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      lowerPriority(child);
      return (await child.exited) === 0 ? await Bun.file(file).bytes() : null;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

/**
 * Temporary folders of this program, with the age after which they are unused. A support file takes a minute; checking
 * a large database on a slow card may take hours.
 */
const KINDS: readonly { name: RegExp; afterMs: number }[] = [
  { name: /^bellbird-support-[A-Za-z0-9]{6}$/, afterMs: 10 * MINUTE_MS },
  { name: /^bellbird-check-[A-Za-z0-9]{6}$/, afterMs: 24 * 60 * MINUTE_MS },
];

type Place = {
  folder: string;
  uid: number | undefined;
};

/** Whether a folder is left over. Links and folders of other users with such a name are not. */
function isLeft(path: string, afterMs: number, { uid }: Place, now: number): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info?.isDirectory() === true && info.uid === uid && now - info.mtimeMs > afterMs;
}

/**
 * Deletes the temporary folders of crashed processes.
 * @param now epoch ms
 * @returns their number
 * @throws the file system's error
 */
export function dropLeftFolders(place: Place, now: number): number {
  const left = readdirSync(place.folder).filter((name) => {
    const kind = KINDS.find((one) => one.name.test(name));
    return kind !== undefined && isLeft(join(place.folder, name), kind.afterMs, place, now);
  });
  for (const name of left) rmSync(join(place.folder, name), { recursive: true, force: true });
  return left.length;
}

const MAX_A_MINUTE = 3;

function routesOf({ clock, audit, keepOpen }: App, log: Log, write: SupportWriter) {
  const limit = createUserLimit(clock, MAX_A_MINUTE, 'Too many support files.');
  let isBusy = false;
  async function make(): Promise<Uint8Array<ArrayBuffer>> {
    isBusy = true;
    try {
      const bytes = await write();
      if (bytes !== null) return bytes;
      log.error('Could not create a support file');
      throw new AppError(503, 'The support file could not be created. Run "bellbird support" on the server.');
    } finally {
      isBusy = false;
    }
  }
  return serve(SUPPORT, {
    'POST /api/admin/support': async ({ user, request }) => {
      limit(user.id);
      if (isBusy)
        throw new AppError(409, 'Another support file is being created. Try again when it is done.');
      audit.record({ userId: user.id, action: 'download support file', target: 'support file' });
      keepOpen(request);
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      return new Response(await make(), {
        headers: {
          'content-type': 'application/gzip',
          'content-disposition': `attachment; filename="bellbird-support-${day}.tar.gz"`,
          'cache-control': 'no-store',
        },
      });
    },
  });
}

/**
 * The archive for a bug report, requested in the Admin Panel. Temporary folders of crashed processes are deleted at the
 * start, and every night.
 */
export function createSupport(app: App, write = createSupportWriter(app.program.env)) {
  const log = app.log.child('support');
  // Uses the machine's clock, which sets file times and may differ from this server's.
  const dropLeft = (): number => dropLeftFolders({ folder: tmpdir(), uid: process.getuid?.() }, Date.now());
  return {
    name: 'support',
    routes: () => routesOf(app, log, write),
    start() {
      try {
        const removed = dropLeft();
        if (removed > 0) log.info('Removed temporary folders of an earlier run', { removed });
      } catch (error) {
        log.warn('Could not remove temporary folders of an earlier run', { error });
      }
    },
    prune: () => ({ removed: dropLeft(), hasMore: false }),
  } satisfies Part;
}
