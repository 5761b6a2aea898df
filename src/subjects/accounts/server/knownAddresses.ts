import type { Db } from '../../../platform/db/open.ts';
import type { Clock } from '../../../lib/clock.ts';
import { knownAddressStore } from './knownAddressStore.ts';

const KEEP_MS = 90 * 24 * 60 * 60 * 1000;
const MAX_AN_ACCOUNT = 20;
/** No account has this id. */
const NOBODY = 0;

export type KnownAddresses = {
  /** True when the account logged in from the address in the last 90 days. Takes the same time for nobody (null). */
  isKnown(userId: number | null, address: string): boolean;
  /** Notes that the account logged in from the address; an unknown one ('') is not noted. */
  remember(userId: number, address: string): void;
  /** Drops what is older than 90 days. @returns how many */
  dropExpired(): number;
};

/**
 * The addresses that accounts logged in from, at most 20 an account. What is stored is a keyed hash of account and
 * address together: from the database alone nobody learns where people live, nor who lives together.
 *
 * Addresses are keys as `addressKey` makes them.
 */
export function createKnownAddresses(deps: { db: Db; clock: Clock; jwtSecret: string }): KnownAddresses {
  const store = knownAddressStore(deps.db);
  const keyOf = (userId: number, address: string) => ({
    userId,
    addressHash: new Bun.CryptoHasher('sha256', deps.jwtSecret)
      .update(`login address\n${userId}\n${address}`)
      .digest('base64url'),
  });
  const expired = (): number => deps.clock.now() - KEEP_MS;
  return {
    isKnown(userId, address) {
      const lastLogin = store.lastLogin(keyOf(userId ?? NOBODY, address));
      return address !== '' && lastLogin !== undefined && lastLogin > expired();
    },
    remember(userId, address) {
      if (address !== '') store.remember(keyOf(userId, address), deps.clock.now(), MAX_AN_ACCOUNT);
    },
    dropExpired: () => store.dropUntil(expired()),
  };
}
