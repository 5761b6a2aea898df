import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Sha256 } from '#subjects/calls/rules/ledger/check.ts';

/**
 * SHA-256 of a text's UTF-8 bytes, hex. The browser's own hashing is not there on a server that is reached by plain http; and
 * it costs a turn of the loop a line.
 */
export function createHex(): Sha256 {
  const encoder = new TextEncoder();
  // A line is short: its bytes take the place of those of the line before.
  let space = new Uint8Array(4096);
  function bytesOf(text: string): Uint8Array {
    // Three bytes a character at most.
    if (space.length < text.length * 3) space = new Uint8Array(text.length * 3);
    const { written } = encoder.encodeInto(text, space);
    return space.subarray(0, written);
  }
  return (text, bytes = bytesOf(text)) => bytesToHex(sha256(bytes));
}
