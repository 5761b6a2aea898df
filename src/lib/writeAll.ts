import { writeSync } from 'node:fs';

/** Writes all of these bytes, where the system may take a part of them at a time. @param at from which place of the file on; without it where the handle stands */
export function writeAll(handle: number, bytes: Uint8Array, at?: number): void {
  for (let done = 0; done < bytes.byteLength; )
    done += writeSync(handle, bytes, done, bytes.byteLength - done, at === undefined ? undefined : at + done);
}
