import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpClient } from '../../lib/httpClient/client.ts';
import { UpdateError } from './updateError.ts';

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

/** The files of a folder on this machine. */
export function folderFiles(folder: string): ReleaseFiles {
  const open = (name: string): number => {
    try {
      return openSync(join(folder, name), 'r');
    } catch (error) {
      const code = (error as { code?: string }).code ?? 'unknown';
      throw new UpdateError(`The release's file ${name} can't be read in ${folder} (${code}).`);
    }
  };
  return {
    label: folder,
    read: async (name, maxBytes) => {
      closeSync(open(name));
      const path = join(folder, name);
      if (statSync(path).size > maxBytes) throw tooLarge(name);
      return Bun.file(path).bytes();
    },
    save: async (name, path, maxBytes, onChunk) => {
      const source = open(name);
      const sink = createSink(name, path, maxBytes, onChunk);
      try {
        const buffer = new Uint8Array(CHUNK);
        for (let count = readSync(source, buffer); count > 0; count = readSync(source, buffer)) {
          sink.write(buffer.subarray(0, count));
          // A hundred megabytes must not hold up those who are being served.
          await Bun.sleep(0);
        }
        sink.finish();
      } finally {
        closeSync(source);
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
