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

/** Where somebody logs in from; the address as `addressKey` makes it. */
export type LoginFrom = LoginPlace & { address: string };

/** Only so much of a name is remembered, whatever was sent. */
const MAX_REMEMBERED_LENGTH = 300;

/** One name for an account, whichever of its names is typed; a name that no account has stands for itself. */
const nameOf = (user: UserRow | undefined, identifier: string): string =>
  user ? `account ${user.id}` : `name ${accountKey(identifier.slice(0, MAX_REMEMBERED_LENGTH))}`;

/** The hash that a password is compared with where no account has the name; made once, and again when that failed. */
function createDecoy({ passwords, randomToken }: App): (caller: Caller) => Promise<string> {
  let decoy: Promise<string> | undefined;
  return (caller) =>
    (decoy ??= passwords.hash(randomToken(), caller).catch((error: unknown) => {
      decoy = undefined;
      throw error;
    }));
}

/** The password was right; the code of the second factor is to come. */
class SecondStepError extends AppError {}

/** @throws AppError 401 with the ticket */
function askForCode(ticket: string): never {
  const message = 'Type the code of your authenticator app.';
  throw new SecondStepError(401, { field: 'code', message }, { members: { ticket } });
}

/**
 * Login by username or email. An unknown name costs the same time as a wrong password and is limited alike, so that
 * names can't be found out.
 *
 * @returns a function from what `checkLogin` gave, and where the caller logs in from, to a new session;
 *   it throws AppError 401 with one sentence for an unknown name and for a wrong password, with the ticket of the second
 *   step for a right one of an account with two factors, 429 after too many of them,
 *   503 when too many log in at once
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
    // Waited for in any case: the first login takes longer by it, for everybody.
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
