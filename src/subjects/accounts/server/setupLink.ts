import type { App } from '#platform/app.ts';
import type { Db } from '#platform/db/open.ts';
import { accountStore } from './store.ts';
import { eq } from 'drizzle-orm';
import { facts } from '#platform/db/schema.ts';
import { externalAddress, hostAndPort, isEveryAddress } from '#lib/addresses.ts';

const KEY = 'setup_token_hash';

export const setupTokenStore = (db: Db) => ({
  hash: (): string | null => db.select().from(facts).where(eq(facts.key, KEY)).get()?.value ?? null,

  setHash: (value: string): void => {
    db.insert(facts)
      .values({ key: KEY, value })
      .onConflictDoUpdate({ target: facts.key, set: { value } })
      .run();
  },

  dropHash: (): void => {
    db.delete(facts).where(eq(facts.key, KEY)).run();
  },
});

const digest = (token: string): Buffer => new Bun.CryptoHasher('sha256').update(token).digest();

/**
 * Creates the one-time token for registering the first administrator. Earlier tokens become invalid.
 * @returns the token for the operator; null if there is an administrator
 */
export function createSetupToken({ db, randomToken }: App): string | null {
  const accounts = accountStore(db);
  const kept = setupTokenStore(db);
  return accounts.inTransaction(() => {
    if (accounts.hasAdministrator()) {
      kept.dropHash();
      return null;
    }
    const token = randomToken();
    kept.setHash(digest(token).toString('hex'));
    return token;
  });
}

/** True for the newest token while there is no administrator. */
export function isSetupToken(db: Db, token: string): boolean {
  const hash = setupTokenStore(db).hash();
  if (hash === null || accountStore(db).hasAdministrator()) return false;
  return crypto.timingSafeEqual(digest(token), Buffer.from(hash, 'hex'));
}

/**
 * The address that users open: the public one, or this machine's address in its network.
 * @param listening host as configured, and the real port
 */
export function publicAddress(
  publicUrl: string | null,
  listening: { host: string; port: number },
  findLan: () => string | null = externalAddress,
): string {
  if (publicUrl !== null) return publicUrl;
  const host = isEveryAddress(listening.host) ? (findLan() ?? 'localhost') : listening.host;
  return `http://${hostAndPort(host, listening.port)}`;
}

export const setupLink = (address: string, token: string): string => `${address}/#/register?setup=${token}`;
