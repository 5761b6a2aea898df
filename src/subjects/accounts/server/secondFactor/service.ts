import { readCode, RECOVERY_CODES, SET_UP_MS } from '#subjects/accounts/rules/secondFactor.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { AccountTools, Self } from '../tools.ts';
import { type AccountState, toAccountState } from '#subjects/accounts/rules/accountRules.ts';
import { createKnownAddresses } from '../sessions.ts';
import { sessionStore } from '../sessionStore.ts';
import { accountStore } from '../store.ts';
import {
  loadTotp,
  newRecoveryCodes,
  takeCode,
  wrongCode,
  type SecondFactorRow,
  secondFactorStore,
} from './codes.ts';
import { ACCOUNTS } from '#subjects/accounts/contract.ts';
import type { AuthUser } from '#platform/http/auth.ts';
import { serve } from '#platform/http/routes.ts';

/** What a user's windows are told of the account, and the telling of it. */
export function createAccountState({ app: { config, db }, notifier }: AccountTools) {
  /** Null when the account was deleted. */
  function stateOf(userId: number): AccountState | null {
    const user = accountStore(db).byId(userId);
    if (!user) return null;
    const lacksSecondFactor = config.adminTotp && user.isAdmin && !secondFactorStore(db).on(userId);
    return toAccountState({ ...user, lacksSecondFactor });
  }
  return {
    stateOf,
    /** Tells every open window of a user's how the account stands; call it after the commit of what changed. */
    tell(userId: number): void {
      const state = stateOf(userId);
      if (state) notifier.accountChanged(userId, state);
    },
  };
}

const SECRET_BYTES = 20;
const IS_ON = 'Two-factor login is on already. Reload the page.';
const IS_OFF = 'Two-factor login is not on. Reload the page.';
const NOT_BEGUN = 'Setting it up took too long, or was begun anew elsewhere. Begin again.';

/** How it stands with a person's second factor. */
function standing({ app: { config, db } }: AccountTools, userId: number) {
  const row = secondFactorStore(db).on(userId);
  const isAdmin = accountStore(db).byId(userId)?.isAdmin ?? false;
  const recoveryCodesLeft = Math.min(row?.recoveryHashes.length ?? 0, RECOVERY_CODES);
  return { on: row !== undefined, demanded: config.adminTotp && isAdmin, recoveryCodesLeft };
}

/**
 * Makes a secret for somebody's authenticator app; it counts once a code of it was given.
 *
 * @throws AppError 400 for a wrong password, 403, 409 when it is on already, 429, 503
 */
async function begin(tools: AccountTools, { userId, address }: Self, password: string) {
  const { username } = await tools.checkPassword({ userId, password, address }, 'password');
  const { base32, otpauthAddress } = await loadTotp();
  const secret = base32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const store = secondFactorStore(tools.app.db);
  accountStore(tools.app.db).inTransaction(() => {
    if (store.on(userId)) throw new AppError(409, IS_ON);
    store.begin(userId, tools.secrets.close(userId, secret), tools.app.clock.now());
  });
  return { secret, address: otpauthAddress(secret, username) };
}

/** Does work when a code is right, in its transaction. @throws AppError 400, 409, 429 */
async function withCode<T>(
  tools: AccountTools,
  { userId, address }: Self,
  asked: { code: string; rowOf(): SecondFactorRow; work(now: number): T },
): Promise<T> {
  const given = accepted(readCode(asked.code));
  const isKnown = createKnownAddresses(tools.app).isKnown(userId, address);
  const attempt = tools.codeLimit.begin(userId, address, isKnown);
  const totp = await loadTotp();
  return accountStore(tools.app.db).inTransaction(() => {
    const now = tools.app.clock.now();
    if (!takeCode(tools, totp, asked.rowOf(), { given, now })) {
      attempt.wrong();
      throw new AppError(400, { field: 'code', message: wrongCode(now) });
    }
    attempt.right();
    return asked.work(now);
  });
}

/**
 * Does work in one transaction; with a right code only, if the account has two-factor login.
 * @param code left out by an account without
 * @throws AppError 400 without a right code, 409, 429
 */
export async function withCodeIfOn<T>(
  tools: AccountTools,
  self: Self,
  { code, work }: { code: string | null; work(): T },
): Promise<T> {
  const isOn = (): boolean => secondFactorStore(tools.app.db).on(self.userId) !== undefined;
  if (isOn())
    return withCode(tools, self, { code: code ?? '', rowOf: () => requireOn(tools, self.userId), work });
  return accountStore(tools.app.db).inTransaction(() => {
    // It was turned on during the check.
    if (isOn()) throw new AppError(400, { field: 'code', message: 'Type the code' });
    return work();
  });
}

/** One that is on. @throws AppError 409 */
function requireOn({ app: { db } }: AccountTools, userId: number): SecondFactorRow {
  const row = secondFactorStore(db).on(userId);
  if (!row) throw new AppError(409, IS_OFF);
  return row;
}

/** One that was begun lately. @throws AppError 409 */
function requireBegun({ app: { clock, db } }: AccountTools, userId: number): SecondFactorRow {
  const row = secondFactorStore(db).read(userId);
  if (row && row.confirmedAt !== null) throw new AppError(409, IS_ON);
  if (!row || row.begunAt < clock.now() - SET_UP_MS) throw new AppError(409, NOT_BEGUN);
  return row;
}

/** Turns it on with the first code; the other login sessions end, as they were opened without. */
async function confirm(tools: AccountTools, self: Self, code: string): Promise<string[]> {
  const { userId, sessionId } = self;
  const { codes, hashes } = newRecoveryCodes(userId, await loadTotp());
  await withCode(tools, self, {
    code,
    rowOf: () => requireBegun(tools, userId),
    work(now) {
      secondFactorStore(tools.app.db).update(userId, { confirmedAt: now, recoveryHashes: hashes });
      sessionStore(tools.app.db).revokeOthers(userId, sessionId, now);
    },
  });
  tools.notifier.sessionsEnded(userId);
  createAccountState(tools).tell(userId);
  return codes;
}

type Proof = { password: string; code: string };

/** What a person does with the second factor of their own account. */
function createSecondFactor(tools: AccountTools) {
  const proved = async <T>(self: Self, { password, code }: Proof, work: () => T): Promise<T> => {
    const { userId, address } = self;
    await tools.checkPassword({ userId, password, address }, 'password');
    return withCode(tools, self, { code, rowOf: () => requireOn(tools, userId), work });
  };
  return {
    standing: (userId: number) => standing(tools, userId),
    begin: (self: Self, password: string) => begin(tools, self, password),
    /** @returns the recovery codes @throws AppError 400, 409, 429 */
    confirm: (self: Self, code: string) => confirm(tools, self, code),
    /** @returns new recovery codes; the old ones are void @throws AppError 400, 403, 409, 429, 503 */
    async renew(self: Self, proof: Proof): Promise<string[]> {
      const { codes, hashes } = newRecoveryCodes(self.userId, await loadTotp());
      await proved(self, proof, () =>
        secondFactorStore(tools.app.db).update(self.userId, { recoveryHashes: hashes }),
      );
      return codes;
    },
    /** @throws AppError 400, 403, 409, 429, 503 */
    async turnOff(self: Self, proof: Proof): Promise<void> {
      await proved(self, proof, () => secondFactorStore(tools.app.db).remove(self.userId));
      createAccountState(tools).tell(self.userId);
    },
  };
}

type Asking = {
  selfOf(request: Request, user: AuthUser): Self;
  /** @throws AppError 429 */
  countChange(userId: number): void;
};

/** @throws AppError 400 */
function needPassword(password: string): string {
  if (password === '') throw new AppError(400, { field: 'password', message: 'Type your password' });
  return password;
}

type Factor = ReturnType<typeof createSecondFactor>;

/** How it stands, and setting it up. */
const setUpRoutes = (factor: Factor, { selfOf, countChange }: Asking) =>
  serve(ACCOUNTS, {
    'GET /api/settings/second-factor': ({ user }) => factor.standing(user.id),
    'POST /api/settings/second-factor/begin': ({ user, body, request }) => {
      const password = needPassword(body.password);
      countChange(user.id);
      return factor.begin(selfOf(request, user), password);
    },
    'POST /api/settings/second-factor/confirm': async ({ user, body, request }) => {
      countChange(user.id);
      return { recoveryCodes: await factor.confirm(selfOf(request, user), body.code) };
    },
  });

/** What wants password and code. */
const provedRoutes = (factor: Factor, { selfOf, countChange }: Asking) =>
  serve(ACCOUNTS, {
    'POST /api/settings/second-factor/recovery-codes': async ({ user, body, request }) => {
      needPassword(body.password);
      countChange(user.id);
      return { recoveryCodes: await factor.renew(selfOf(request, user), body) };
    },
    'POST /api/settings/second-factor/off': async ({ user, body, request }) => {
      needPassword(body.password);
      countChange(user.id);
      await factor.turnOff(selfOf(request, user), body);
      return { success: true as const };
    },
  });

/** What a person does with their second factor, in Settings. */
export function secondFactorRoutes(tools: AccountTools, asking: Asking) {
  const factor = createSecondFactor(tools);
  return [...setUpRoutes(factor, asking), ...provedRoutes(factor, asking)];
}
