import { accountKey } from '../../domain/accounts/accountRules.ts';
import type { Connections } from '../../http/connections.ts';
import { addressKey } from '../../lib/addressKey.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import { createRateLimit, type RateLimit, waitText } from '../../lib/rateLimit.ts';

const MINUTES = 60_000;

export type Limited = { status: 429; error: string; seconds: number };

type Pair = { byAddress: RateLimit; byName: RateLimit };

function takeBoth({ byAddress, byName }: Pair, address: string, name: string): number {
  const wait = byAddress.take(address);
  if (wait > 0) return wait;
  const waitForName = byName.take(name);
  if (waitForName > 0) byAddress.giveBack(address);
  return waitForName;
}

/**
 * What one address and one name may try. Logins count only while they fail; ten wrong passwords for a name stop it
 * for the rest of five minutes, short enough that nobody can keep another person out for long.
 */
export function createAccountLimits(deps: Pick<Connections, 'clientAddress'> & { clock: Stopwatch }) {
  const { clock } = deps;
  const login: Pair = {
    byAddress: createRateLimit({ clock, limit: 50, windowMs: 15 * MINUTES }),
    byName: createRateLimit({ clock, limit: 10, windowMs: 5 * MINUTES }),
  };
  const registration: Pair = {
    byAddress: createRateLimit({ clock, limit: 40, windowMs: 15 * MINUTES }),
    byName: createRateLimit({ clock, limit: 10, windowMs: 15 * MINUTES }),
  };
  const refuse = (what: string, seconds: number): Limited => ({
    status: 429,
    error: `Too many ${what}. Try again in ${waitText(seconds)}.`,
    seconds,
  });
  const keys = (request: Request, name: string): [string, string] => [
    addressKey(deps.clientAddress(request)),
    // Only a bounded part of a name is remembered, whatever was sent.
    accountKey(name.slice(0, 300)),
  ];
  return {
    /** Counts a login attempt; null when it may go on. */
    login: (request: Request, name: string): Limited | null => {
      const wait = takeBoth(login, ...keys(request, name));
      return wait > 0 ? refuse('login attempts', wait) : null;
    },
    /** The login succeeded, so it does not count. */
    loggedIn: (request: Request, name: string): void => {
      const [address, key] = keys(request, name);
      login.byAddress.giveBack(address);
      login.byName.forget(key);
    },
    /** Counts a registration; null when it may go on. */
    registration: (request: Request, name: string): Limited | null => {
      const wait = takeBoth(registration, ...keys(request, name));
      return wait > 0 ? refuse('registrations', wait) : null;
    },
  };
}
