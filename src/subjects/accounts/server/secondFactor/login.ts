import { readCode } from '#subjects/accounts/rules/secondFactor.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { LoginDeps, LoginFrom } from '../login.ts';
import { createKnownAddresses, type OpenedSession, openSession } from '../sessions.ts';
import { accountStore } from '../store.ts';
import { loadTotp, takeCode, wrongCode } from './codes.ts';
import type { SecondFactorDeps } from './service.ts';
import { secondFactorStore } from './store.ts';

const EXPIRED = 'Your login took more than five minutes, or your account was changed. Log in again.';
const expired = (): AppError => new AppError(401, { field: 'ticket', message: EXPIRED });

/**
 * The second step of a login.
 *
 * @returns a function from the ticket of the first step and what was typed as the code to a new session; it throws AppError
 *   400 for what is no code, 401 for a wrong code and for a ticket that is over (`ticket`), 409, 429 after too many
 */
export function createSecondStep(
  deps: LoginDeps & SecondFactorDeps,
): (input: { ticket: string; code: string }, place: LoginFrom) => Promise<OpenedSession> {
  const { db, clock, tickets, codeLimit } = deps;
  const known = createKnownAddresses(deps);
  return async ({ ticket, code }, place) => {
    const given = accepted(readCode(code));
    const userId = tickets.userIdOf(ticket);
    const user = userId === null ? undefined : accountStore(db).byId(userId);
    if (!user || !tickets.fits(ticket, user)) throw expired();
    const attempt = codeLimit.begin(user.id, place.address, known.isKnown(user.id, place.address));
    const totp = await loadTotp();
    const session = await openSession(deps, user, place, () => {
      const row = secondFactorStore(db).on(user.id);
      // Turned off or cleared meanwhile: the password alone is asked for now.
      if (!row) throw expired();
      const now = clock.now();
      if (!takeCode({ ...deps, totp }, row, { given, now })) {
        attempt.wrong();
        throw new AppError(401, { field: 'code', message: wrongCode(now) });
      }
    });
    attempt.right();
    return session;
  };
}
