import { accountKey, type LoginInput } from '../rules/accountRules.ts';
import { MESSAGES } from '#texts/messages.ts';
import { AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import type { Caller } from '#lib/fairQueue.ts';
import { createKnownAddresses, type LoginPlace, type OpenedSession, openSession } from './sessions.ts';
import { LoginLimits } from './limits.ts';
import { secondFactorStore } from './secondFactor/codes.ts';
import { accountStore, hasPassword, type UserRow } from './store.ts';
import type { AccountTools } from './tools.ts';

/** Where the login comes from; the address is as returned by `addressKey`. */
export type LoginFrom = LoginPlace & { address: string };

/** Characters of a typed name that are used in a key. */
const MAX_REMEMBERED_LENGTH = 300;

/** A key for the limits. It is the same for an account whichever of its names is typed. */
const nameOf = (user: UserRow | undefined, identifier: string): string =>
  user ? `account ${user.id}` : `name ${accountKey(identifier.slice(0, MAX_REMEMBERED_LENGTH))}`;

/** The hash to compare with if no account has the name. It is created once, and again after a failure. */
function createDecoy({ passwords, randomToken }: App): (caller: Caller) => Promise<string> {
  let decoy: Promise<string> | undefined;
  return (caller) =>
    (decoy ??= passwords.hash(randomToken(), caller).catch((error: unknown) => {
      decoy = undefined;
      throw error;
    }));
}

/** Thrown if the password was correct and the code is still missing. */
class SecondStepError extends AppError {}

/** Requests the second step. @throws AppError 401 with the ticket */
function askForCode(ticket: string): never {
  const message = 'Enter the code from your authenticator app.';
  throw new SecondStepError(401, { field: 'code', message }, { members: { ticket } });
}

/**
 * Login by username or email. An unknown name takes as long and has the same limits as a wrong password, so that names
 * cannot be guessed.
 * @returns a function that opens a session; it throws AppError 401 with one sentence for an unknown name or a wrong
 * password, 401 with a ticket if a second step is needed, 429 after too many attempts, 503 if too many log in at once
 */
export function createLogin({
  app,
  notifier,
  tickets,
}: AccountTools): (input: LoginInput, place: LoginFrom) => Promise<OpenedSession> {
  const store = accountStore(app.db);
  const known = createKnownAddresses(app);
  const limits = new LoginLimits(app.clock);
  const decoyFor = createDecoy(app);

  async function verified(user: UserRow | undefined, password: string, caller: Caller): Promise<UserRow> {
    // Created in every case, so that the first login takes equally long for known and unknown names.
    const decoy = await decoyFor(caller);
    const hash = user && hasPassword(user) ? user.passwordHash : decoy;
    const isRight = await app.passwords.verify(password, hash, caller);
    if (!isRight || user?.passwordHash !== hash) throw new AppError(401, MESSAGES.login.invalid);
    return user;
  }

  return async ({ identifier, password }, place) => {
    const { address } = place;
    const user = store.find(identifier);
    const isKnown = known.isKnown(user?.id ?? null, address);
    const rank = isKnown ? 0 : limits.isSuspect(address) ? 2 : 1;
    const caller: Caller = { address, name: nameOf(user, identifier), rank };
    const attempt = limits.begin(caller, isKnown);
    try {
      const proved = await verified(user, password, caller);
      const needsCode = secondFactorStore(app.db).on(proved.id) !== undefined;
      const session = needsCode ? null : await openSession(app, notifier, proved, place);
      attempt.succeed();
      return session ?? askForCode(tickets.issue(proved));
    } catch (error) {
      if (error instanceof SecondStepError) throw error;
      if (error instanceof AppError && error.status === 401) attempt.fail();
      else attempt.abandon();
      throw error;
    }
  };
}
