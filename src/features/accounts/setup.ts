import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../db/open.ts';
import { accountStore } from './store.ts';

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Makes the one-time token by which the first administrator registers, and keeps its hash. An earlier token that
 * nobody used is void from then on.
 *
 * @returns the token for the start to print, or null when there is an administrator already
 */
export function createSetupToken(deps: { db: Db; randomToken(): string }): string | null {
  const store = accountStore(deps.db);
  return store.immediately(() => {
    if (store.hasAdministrator()) {
      store.dropSetupHash();
      return null;
    }
    const token = deps.randomToken();
    store.setSetupHash(digest(token).toString('hex'));
    return token;
  });
}

/** True when the token is the one that was printed and nobody has become administrator since. */
export function isSetupToken(deps: { db: Db }, token: string): boolean {
  const store = accountStore(deps.db);
  const hash = store.setupHash();
  if (hash === null || store.hasAdministrator()) return false;
  return timingSafeEqual(digest(token), Buffer.from(hash, 'hex'));
}
