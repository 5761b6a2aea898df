import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { BytesOutcome, HttpClient } from '#lib/httpClient/client.ts';
import { UpdateError } from '../shared/updateState.ts';
import { writeAll } from '#lib/files.ts';
import { errorCode } from '#lib/errors.ts';

/** The files of a release. Their names are fixed by this program. */
export type ReleaseFiles = {
  /** Their location, without a name or password. */
  label: string;
  /** Reads a small file. @throws UpdateError if it is missing or larger than allowed */
  read(name: string, maxBytes: number): Promise<Uint8Array>;
  /** Writes a large file and passes its pieces on. @throws UpdateError if it is missing or too large */
  save(name: string, path: string, maxBytes: number, onChunk: (chunk: Uint8Array) => void): Promise<void>;
};

export class MissingFile extends UpdateError {
  override name = 'MissingFile';
}

const CHUNK = 1024 * 1024;

const tooLarge = (name: string): UpdateError => new UpdateError(`The release's file ${name} is too large.`);

type Kept = { name: string; path: string; maxBytes: number; onChunk(chunk: Uint8Array): void };

async function keep(
  { name, path, maxBytes, onChunk }: Kept,
  fill: (write: (chunk: Uint8Array) => void) => Promise<void>,
): Promise<void> {
  const handle = openSync(path, 'w', 0o700);
  let size = 0;
  try {
    await fill((chunk) => {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(name);
      writeAll(handle, chunk);
      onChunk(chunk);
    });
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function unreadable(folder: string, name: string, error: unknown): UpdateError {
  const code = errorCode(error) || 'unknown';
  const sentence = `The release's file ${name} in ${folder} cannot be read (${code}).`;
  return code === 'ENOENT' ? new MissingFile(sentence) : new UpdateError(sentence);
}

/** Opens a regular file, because a pipe or a device would block the server. */
function openRegular(folder: string, name: string): number {
  let handle: number | null = null;
  try {
    // Without the flag, opening a pipe waits for its writer.
    handle = openSync(join(folder, name), constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(handle).isFile()) return handle;
  } catch (error) {
    throw unreadable(folder, name, error);
  }
  closeSync(handle);
  throw new UpdateError(`The release's file ${name} in ${folder} is not a regular file.`);
}

/** The pieces of a file, at most one byte more than allowed. Each overwrites the previous one. */
function* chunksOf(folder: string, name: string, maxBytes: number): Generator<Uint8Array> {
  const source = openRegular(folder, name);
  const buffer = new Uint8Array(Math.min(CHUNK, maxBytes + 1));
  const next = (): number => {
    try {
      return readSync(source, buffer);
    } catch (error) {
      throw unreadable(folder, name, error);
    }
  };
  try {
    let size = 0;
    for (let count = next(); count > 0; count = next()) {
      size += count;
      // The size from the system is unreliable: a file may grow, and some system files report 0.
      if (size > maxBytes) throw tooLarge(name);
      yield buffer.subarray(0, count);
    }
  } finally {
    closeSync(source);
  }
}

async function passOn(chunks: Iterable<Uint8Array>, write: (chunk: Uint8Array) => void): Promise<void> {
  for (const chunk of chunks) {
    write(chunk);
    await Bun.sleep(0);
  }
}

export const folderFiles = (folder: string): ReleaseFiles => ({
  label: folder,
  read: async (name, maxBytes) => {
    const chunks: Uint8Array[] = [];
    await passOn(chunksOf(folder, name, maxBytes), (chunk) => chunks.push(chunk.slice()));
    return Buffer.concat(chunks);
  },
  save: (name, path, maxBytes, onChunk) =>
    keep({ name, path, maxBytes, onChunk }, (write) => passOn(chunksOf(folder, name, maxBytes), write)),
});

const SMALL_TIMEOUT_MS = 30_000;
const LARGE_TIMEOUT_MS = 30 * 60_000;
const MAX_REDIRECTS = 3;

/** The target of a redirect; null if there is none, or from https to another scheme. */
export function redirectedTo(location: string | null, from: string): string | null {
  const target = location === null ? null : URL.parse(location, from);
  if (!target || !['http:', 'https:'].includes(target.protocol)) return null;
  return from.startsWith('https:') && target.protocol !== 'https:' ? null : target.href;
}

function reasonOf(failure: Exclude<BytesOutcome, { kind: 'ok' }>): string {
  if (failure.kind === 'httpError') return `the server answered ${failure.status}`;
  return failure.kind === 'timeout' ? 'it took too long' : 'the server could not be reached';
}

const isMissing = (outcome: BytesOutcome): boolean =>
  outcome.kind === 'httpError' && (outcome.status === 404 || outcome.status === 410);

type Request = { name: string; maxBytes: number; timeoutMs: number; onChunk?: (chunk: Uint8Array) => void };

class ReleaseServer {
  readonly host: string;

  constructor(
    private readonly address: string,
    private readonly http: HttpClient,
    private readonly signal: AbortSignal,
  ) {
    this.host = new URL(address).host;
  }

  /** @throws UpdateError; an error of `onChunk` counts as one of the network */
  async get(request: Request): Promise<Uint8Array> {
    const { name } = request;
    let url = `${this.address}/${name}`;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const outcome = await this.#ask(url, request);
      if (outcome.kind === 'ok') return outcome.body;
      if (outcome.kind === 'aborted')
        throw new UpdateError('The server was stopped while it was being updated.');
      if (outcome.kind === 'tooLarge') throw tooLarge(name);
      const isRedirect = outcome.kind === 'httpError' && outcome.status >= 300 && outcome.status < 400;
      const next = isRedirect ? redirectedTo(outcome.headers.get('location'), url) : null;
      if (next === null) throw this.#notFetched(name, reasonOf(outcome), !isMissing(outcome));
      url = next;
    }
    throw this.#notFetched(name, 'it redirects too often');
  }

  #ask(url: string, { name, maxBytes, timeoutMs, onChunk }: Request): Promise<BytesOutcome> {
    return this.http.bytes({
      method: 'GET',
      url,
      endpoint: `releases/${name}`,
      timeoutMs,
      maxBytes,
      signal: this.signal,
      ...(onChunk && { onChunk }),
    });
  }

  #notFetched(name: string, reason: string, isThere = true): UpdateError {
    const sentence = `The release's file ${name} could not be fetched from ${this.host}: ${reason}.`;
    return isThere ? new UpdateError(sentence) : new MissingFile(sentence);
  }
}

/** The files below an address. Everything is verified afterwards. */
export function addressFiles(address: string, http: HttpClient, signal: AbortSignal): ReleaseFiles {
  const server = new ReleaseServer(address, http, signal);
  return {
    label: server.host,
    read: (name, maxBytes) => server.get({ name, maxBytes, timeoutMs: SMALL_TIMEOUT_MS }),
    save: (name, path, maxBytes, onChunk) =>
      keep({ name, path, maxBytes, onChunk }, async (write) => {
        // The client reports an error of its consumer like its own. This one is the disk's.
        const failures: unknown[] = [];
        const writeChunk = (chunk: Uint8Array): void => {
          try {
            write(chunk);
          } catch (error) {
            failures.push(error);
            throw error;
          }
        };
        const request = { name, maxBytes, timeoutMs: LARGE_TIMEOUT_MS, onChunk: writeChunk };
        await server.get(request).catch((error: unknown) => {
          throw failures[0] ?? error;
        });
      }),
  };
}
