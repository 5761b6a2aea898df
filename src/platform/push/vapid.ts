import { createECDH } from 'node:crypto';
import { isRecord } from '#lib/json.ts';
import type { Db } from '../db/open.ts';
import { factStore } from '../db/facts.ts';

const KEY = 'push_keys';
const CURVE = 'prime256v1';
const PRIVATE_BYTES = 32;

/** The keys by which push services know this server (RFC 8292), base64url. */
export type VapidKeys = { publicKey: string; privateKey: string };

function readKeys(kept: unknown): VapidKeys | null {
  if (!isRecord(kept)) return null;
  const { publicKey, privateKey } = kept;
  return typeof publicKey === 'string' && typeof privateKey === 'string' ? { publicKey, privateKey } : null;
}

function makeKeys(): VapidKeys {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys().toString('base64url');
  const own = pair.getPrivateKey();
  // A number that begins with zeros comes in fewer bytes.
  const padded = Buffer.concat([Buffer.alloc(PRIVATE_BYTES - own.length), own]);
  return { publicKey, privateKey: padded.toString('base64url') };
}

/**
 * The server's keys, made at the first start. They lie in the database beside the devices, each of which takes messages of
 * these keys alone: what is restored of one is restored of the other.
 */
export function keptVapidKeys(db: Db): VapidKeys {
  const facts = factStore(db);
  const kept = readKeys(facts.read(KEY));
  if (kept) return kept;
  const made = makeKeys();
  facts.write(KEY, made);
  return made;
}
