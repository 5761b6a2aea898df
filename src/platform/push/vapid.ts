import { createECDH } from 'node:crypto';
import { isRecord } from '#lib/json.ts';
import type { Db } from '../db/open.ts';
import { factStore } from '../db/facts.ts';

const KEY = 'push_keys';
const CURVE = 'prime256v1';
const PRIVATE_BYTES = 32;

/** The keys that identify this server to push services (RFC 8292), base64url. */
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
  // A number with leading zeros has fewer bytes.
  const padded = Buffer.concat([Buffer.alloc(PRIVATE_BYTES - own.length), own]);
  return { publicKey, privateKey: padded.toString('base64url') };
}

/**
 * The server's keys, made at the first start. They are in the same database as the devices, which accept only
 * messages of these keys, so that both are restored together.
 */
export function keptVapidKeys(db: Db): VapidKeys {
  const facts = factStore(db);
  const kept = readKeys(facts.read(KEY));
  if (kept) return kept;
  const made = makeKeys();
  facts.write(KEY, made);
  return made;
}
