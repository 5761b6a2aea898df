import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpClient } from '../../../lib/httpClient/client.ts';
import { UpdateError } from '../shared/updateError.ts';

/** The files of a release, wherever they lie. Their names are this program's own; none comes from outside. */
export type ReleaseFiles = {
  /** Where they lie, without a name or password. */
  label: string;
  /** A small file whole. @throws UpdateError when it is missing or larger than allowed */
  read(name: string, maxBytes: number): Promise<Uint8Array>;
  /**
   * Writes a large file to the disk, and passes its pieces on.
   * @throws UpdateError when it is missing or larger than allowed
   */
  save(name: string, path: string, maxBytes: number, onChunk: (chunk: Uint8Array) => void): Promise<void>;
};

const CHUNK = 1024 * 1024;

/** Writes pieces to a new file, counts them and brings them to the disk. */
function createSink(name: string, path: string, maxBytes: number, onChunk: (chunk: Uint8Array) => void) {
  const handle = openSync(path, 'w', 0o700);
  let size = 0;
  return {
    write(chunk: Uint8Array): void {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(name);
      for (let at = 0; at < chunk.byteLength; ) at += writeSync(handle, chunk, at);
      onChunk(chunk);
    },
    finish: () => fsyncSync(handle),
    close: () => closeSync(handle),
  };
}

const tooLarge = (name: string): UpdateError =>
  new UpdateError(`The release's file ${name} is larger than it may be.`);

/** The files of a folder on this machine: regular ones, since a pipe or a device would hold up the whole server. */
export function folderFiles(folder: string): ReleaseFiles {
  const refusal = (name: string, error: unknown): UpdateError => {
    const code = (error as { code?: string }).code ?? 'unknown';
    return new UpdateError(`The release's file ${name} can't be read in ${folder} (${code}).`);
  };
  const open = (name: string): number => {
    let handle: number | null = null;
    try {
      // Without the flag, opening a pipe waits for somebody who writes into it.
      handle = openSync(join(folder, name), constants.O_RDONLY | constants.O_NONBLOCK);
      if (fstatSync(handle).isFile()) return handle;
    } catch (error) {
      throw refusal(name, error);
    }
    closeSync(handle);
    throw new UpdateError(`The release's file ${name} in ${folder} is no regular file, so it is not read.`);
  };
  /** Passes on the pieces of a file, one byte more than allowed at most. */
  const pass = async (name: string, maxBytes: number, take: (chunk: Uint8Array) => void): Promise<void> => {
    const source = open(name);
    const buffer = new Uint8Array(Math.min(CHUNK, maxBytes + 1));
    const next = (): number => {
      try {
        return readSync(source, buffer);
      } catch (error) {
        throw refusal(name, error);
      }
    };
    try {
      let size = 0;
      for (let count = next(); count > 0; count = next()) {
        size += count;
        // Not by what the system says of its size: a file may grow, and some of the system's own say 0.
        if (size > maxBytes) throw tooLarge(name);
        take(buffer.subarray(0, count));
        // A hundred megabytes must not hold up those who are being served.
        await Bun.sleep(0);
      }
    } finally {
      closeSync(source);
    }
  };
  return {
    label: folder,
    read: async (name, maxBytes) => {
      const chunks: Uint8Array[] = [];
      await pass(name, maxBytes, (chunk) => chunks.push(chunk.slice()));
      return Buffer.concat(chunks);
    },
    save: async (name, path, maxBytes, onChunk) => {
      const sink = createSink(name, path, maxBytes, onChunk);
      try {
        await pass(name, maxBytes, sink.write);
        sink.finish();
      } finally {
        sink.close();
      }
    },
  };
}

const SMALL_TIMEOUT_MS = 30_000;
const LARGE_TIMEOUT_MS = 30 * 60_000;
const MAX_REDIRECTS = 3;

/** Where an answer sends the caller to; null when nowhere, or from https to something that is not. */
export function redirectedTo(location: string | null, from: string): string | null {
  const target = location === null ? null : URL.parse(location, from);
  if (!target || !['http:', 'https:'].includes(target.protocol)) return null;
  return from.startsWith('https:') && target.protocol !== 'https:' ? null : target.href;
}

type Request = { name: string; maxBytes: number; timeoutMs: number; onChunk?: (chunk: Uint8Array) => void };

/**
 * The files below an address. What the server says of itself counts for nothing: everything is verified afterwards.
 * @param signal ends a download
 */
export function addressFiles(address: string, http: HttpClient, signal: AbortSignal): ReleaseFiles {
  const { host } = new URL(address);
  const get = async ({ name, maxBytes, timeoutMs, onChunk }: Request): Promise<Uint8Array> => {
    let url = `${address}/${name}`;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const outcome = await http.bytes({
        ...{ method: 'GET', url, endpoint: `releases/${name}`, timeoutMs, maxBytes, signal },
        ...(onChunk && { onChunk }),
      });
      if (outcome.kind === 'ok') return outcome.body;
      if (outcome.kind === 'aborted')
        throw new UpdateError('The server was stopped while it was being updated.');
      if (outcome.kind === 'tooLarge') throw tooLarge(name);
      const next =
        outcome.kind === 'httpError' && outcome.status >= 300 && outcome.status < 400
          ? redirectedTo(outcome.headers.get('location'), url)
          : null;
      if (next === null) {
        const reason =
          outcome.kind === 'httpError'
            ? `the server answered ${outcome.status}`
            : outcome.kind === 'timeout'
              ? 'it took too long'
              : 'the server was not reached';
        throw new UpdateError(`The release's file ${name} could not be fetched from ${host}: ${reason}.`);
      }
      url = next;
    }
    throw new UpdateError(
      `The release's file ${name} could not be fetched from ${host}: it is sent on too often.`,
    );
  };
  return {
    label: host,
    read: (name, maxBytes) => get({ name, maxBytes, timeoutMs: SMALL_TIMEOUT_MS }),
    save: async (name, path, maxBytes, onChunk) => {
      const sink = createSink(name, path, maxBytes, onChunk);
      // The client tells of a failure of its taker as of any other: this one is the disk's.
      const failures: unknown[] = [];
      const take = (chunk: Uint8Array): void => {
        try {
          sink.write(chunk);
        } catch (error) {
          failures.push(error);
          throw error;
        }
      };
      try {
        await get({ name, maxBytes, timeoutMs: LARGE_TIMEOUT_MS, onChunk: take }).catch((error: unknown) => {
          throw failures[0] ?? error;
        });
        sink.finish();
      } finally {
        sink.close();
      }
    },
  };
}
