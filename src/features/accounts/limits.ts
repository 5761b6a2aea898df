import { accountKey } from '../../domain/accounts/accountRules.ts';
import type { Connections } from '../../http/connections.ts';
import { AppError } from '../../http/errors.ts';
import { addressKey } from '../../lib/addressKey.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import { createRateLimit, type RateLimit, waitText } from '../../lib/rateLimit.ts';

const MINUTE_MS = 60_000;
/** Only so much of a name is remembered, whatever was sent. */
const MAX_REMEMBERED_LENGTH = 300;

type Pair = { byAddress: RateLimit; byName: RateLimit };
type Keys = { address: string; name: string };

/** Counts one attempt by both limits, or by neither. @returns seconds to wait; 0 when it may go on */
function takeBoth({ byAddress, byName }: Pair, { address, name }: Keys): number {
  const wait = byAddress.take(address);
  if (wait > 0) return wait;
  const waitForName = byName.take(name);
  if (waitForName > 0) byAddress.giveBack(address);
  return waitForName;
}

/** @throws AppError 429 with `Retry-After` */
function refuseTooMany(what: string, seconds: number): void {
  if (seconds === 0) return;
  const headers = { 'retry-after': String(seconds) };
  throw new AppError(429, `Too many ${what}. Try again in ${waitText(seconds)}.`, { headers });
}

/**
 * What one address and one name may try. Logins count only while they fail; ten wrong passwords for a name stop it
 * for the rest of five minutes, short enough that nobody can keep another person out for long.
 */
export function createAccountLimits(deps: Pick<Connections, 'clientAddress'> & { clock: Stopwatch }) {
  const limit = (most: number, minutes: number): RateLimit =>
    createRateLimit({ clock: deps.clock, limit: most, windowMs: minutes * MINUTE_MS });
  const logins: Pair = { byAddress: limit(50, 15), byName: limit(10, 5) };
  const registrations: Pair = { byAddress: limit(40, 15), byName: limit(10, 15) };
  const keysOf = (request: Request, name: string): Keys => ({
    address: addressKey(deps.clientAddress(request)),
    name: accountKey(name.slice(0, MAX_REMEMBERED_LENGTH)),
  });
  return {
    /** Counts a login. @throws AppError 429 when there were too many */
    countLogin: (request: Request, name: string): void =>
      refuseTooMany('login attempts', takeBoth(logins, keysOf(request, name))),
    /** The login succeeded, so it does not count. */
    forgetLogin: (request: Request, name: string): void => {
      const keys = keysOf(request, name);
      logins.byAddress.giveBack(keys.address);
      logins.byName.forget(keys.name);
    },
    /** Counts a registration. @throws AppError 429 when there were too many */
    countRegistration: (request: Request, name: string): void =>
      refuseTooMany('registrations', takeBoth(registrations, keysOf(request, name))),
  };
}
