import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Wire } from '#lib/contract/fields.ts';
import { type logsAnswer, TAIL_LINES, type tailAnswer } from '../answers/logs.ts';
import { AppError } from '#platform/http/errors.ts';
import type { Log } from '#lib/log.ts';
import type { App, Part } from '#platform/app.ts';
import type { OwnLogFile } from '#lib/logging.ts';
import {
  isMissing,
  listFiles,
  NO_FILE,
  openFile,
  type OpenLogFile,
  type Chunk,
  readFrom,
  readTail,
  requireListed,
} from './read.ts';
import { LOGS } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';

type Place = { file: string; after: number };

type Tail = Chunk & { file: string; isRestarted: boolean };

async function using<T>(opened: OpenLogFile, work: (file: OpenLogFile) => Promise<T>): Promise<T> {
  try {
    return await work(opened);
  } finally {
    await opened.handle.close();
  }
}

async function tailOf(folder: string, name: string, lines: number): Promise<Tail> {
  return using(await openFile(folder, name), async ({ handle, size, id }) => ({
    ...(await readTail(handle, size, lines)),
    file: id,
    isRestarted: false,
  }));
}

const NOTHING: Chunk = { text: '', end: 0, isCut: true };

/** The rest of a file that was rotated in the meantime, under its new name. */
async function restOf(folder: string, name: string, { file, after }: Place): Promise<Chunk> {
  const aside = (await listFiles(folder)).find(({ id }) => id === file);
  if (!aside) return NOTHING;
  try {
    const rest = await using(await openFile(folder, aside.name), ({ handle, size, id }) =>
      id === file ? readFrom(handle, size, after) : Promise.resolve(NOTHING),
    );
    // If the log was rotated more than once, files in between are not read.
    return { ...rest, isCut: rest.isCut || aside.name !== `${name}.1` };
  } catch (error) {
    if (error instanceof AppError) return NOTHING;
    throw error;
  }
}

/**
 * Text that was added to a file since an earlier answer. If the file was rotated: its rest and the new file. If it was
 * emptied: all of it.
 * @throws AppError 404
 */
async function newIn(folder: string, name: string, place: Place): Promise<Tail> {
  return using(await openFile(folder, name), async ({ handle, size, id }) => {
    if (id === place.file) {
      const isRestarted = size < place.after;
      const chunk = await readFrom(handle, size, isRestarted ? 0 : place.after);
      return { ...chunk, file: id, isRestarted };
    }
    const rest = await restOf(folder, name, place);
    const fresh = await readFrom(handle, size, 0);
    return {
      text: rest.text + fresh.text,
      end: fresh.end,
      isCut: rest.isCut || fresh.isCut,
      file: id,
      isRestarted: false,
    };
  });
}

const CHUNK_BYTES = 256 * 1024;

/**
 * A whole file as of now.
 * @returns its bytes in pieces; the file is closed at the end or on cancellation
 * @throws AppError 404
 */
async function bytesOf(folder: string, name: string): Promise<ReadableStream<Uint8Array>> {
  const { handle, size } = await openFile(folder, name);
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      const bytes = new Uint8Array(Math.min(CHUNK_BYTES, size - position));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, position);
      position += bytesRead;
      if (bytesRead > 0) controller.enqueue(bytes.subarray(0, bytesRead));
      if (bytesRead > 0 && position < size) return;
      await handle.close();
      controller.close();
    },
    cancel: () => handle.close(),
  });
}

type Administrator = { id: number; username: string };

function openToWrite(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw isMissing(error) ? new AppError(404, NO_FILE) : error;
  }
}

/** Empties a file to which this process does not write. @throws AppError 404 */
function empty(path: string): void {
  const file = openToWrite(path);
  try {
    if (!fstatSync(file).isFile()) throw new AppError(404, NO_FILE);
    ftruncateSync(file, 0);
  } finally {
    closeSync(file);
  }
}

/** Administrators' access to the log files. Only files in the list are opened. */
export class Logs {
  readonly #folder: string;
  readonly #log: Log;

  /** @param file the log of this process; null if it has none */
  constructor(
    private readonly app: App,
    private readonly file: OwnLogFile | null,
  ) {
    this.#folder = app.paths.logs;
    this.#log = app.log.child('logs');
  }

  async list(): Promise<Wire<typeof logsAnswer>['logs']> {
    const { file } = this;
    file?.flush();
    const files = await listFiles(this.#folder);
    return files
      .map(({ name, size, mtimeMs }) => ({ name, size, mtimeMs, current: name === file?.name }))
      .sort((a, b) => Number(b.current) - Number(a.current) || b.mtimeMs - a.mtimeMs);
  }

  /** The last lines of a file, or the text that was added since an earlier answer. @throws AppError 404 */
  async tail(
    name: string,
    lines: number = TAIL_LINES.default,
    place: Place | null = null,
  ): Promise<Wire<typeof tailAnswer>> {
    this.file?.flush();
    const read = place ? newIn(this.#folder, name, place) : tailOf(this.#folder, name, lines);
    const { text, file, end, isCut, isRestarted } = await read;
    return { text, file, end, cut: isCut, restarted: isRestarted };
  }

  /** @returns the bytes of a file in pieces @throws AppError 404 */
  async download(admin: Administrator, name: string): Promise<ReadableStream<Uint8Array>> {
    this.file?.flush();
    const bytes = await bytesOf(this.#folder, name);
    this.app.audit.record({ userId: admin.id, action: 'download log', target: name });
    return bytes;
  }

  /** Empties a file. The current one continues from its beginning. @throws AppError 404 */
  async clear(admin: Administrator, name: string): Promise<void> {
    const { audit, db } = this.app;
    await requireListed(this.#folder, name);
    // No await from here on, so that the file cannot be rotated in between.
    db.transaction(
      () => {
        audit.record({ userId: admin.id, action: 'clear log', target: name });
        if (this.file?.name === name) this.file.clear();
        else empty(join(this.#folder, name));
      },
      { behavior: 'immediate' },
    );
    this.#log.info('An administrator cleared a log file', { file: name, by: admin.username });
  }
}

const MAX_A_MINUTE = 30;

function asFile(bytes: ReadableStream<Uint8Array>, name: string): Response {
  const encoded = encodeURIComponent(name).replaceAll("'", '%27');
  return new Response(bytes, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
      'cache-control': 'no-store',
    },
  });
}

function placeOf({ after, file }: { after?: number; file?: string }) {
  if (after === undefined && file === undefined) return null;
  if (after === undefined || file === undefined)
    throw new AppError(400, 'To continue, send both `file` and `after`.');
  return { after, file };
}

const routesOf = (logs: Logs, countUse: (userId: number) => void) =>
  serve(LOGS, {
    'GET /api/admin/logs': async () => ({ logs: await logs.list() }),
    'GET /api/admin/logs/:name/tail': ({ params, query }) =>
      logs.tail(params.name, query.lines, placeOf(query)),
    'GET /api/admin/logs/:name/download': async ({ user, params }) => {
      countUse(user.id);
      return asFile(await logs.download(user, params.name), params.name);
    },
    'DELETE /api/admin/logs/:name': async ({ user, params }) => {
      countUse(user.id);
      await logs.clear(user, params.name);
      return { cleared: true as const };
    },
  });

export function createLogs(app: App, file: OwnLogFile | null) {
  const service = new Logs(app, file);
  const countUse = createWriteLimit(app.clock, MAX_A_MINUTE, 'the log files');
  return { name: 'logs', routes: () => routesOf(service, countUse) } satisfies Part;
}
