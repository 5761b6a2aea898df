import { readCode, RECOVERY_CODES, SET_UP_MS } from '#subjects/accounts/rules/secondFactor.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { AccountTools, Self } from '../tools.ts';
import { type AccountState, toAccountState } from '#subjects/accounts/rules/accountRules.ts';
import { createKnownAddresses, sessionStore } from '../sessions.ts';
import { accountStore } from '../store.ts';
import {
  loadTotp,
  newRecoveryCodes,
  consumeCode,
  wrongCode,
  type SecondFactorRow,
  secondFactorStore,
} from './codes.ts';
import { ACCOUNTS } from '#subjects/accounts/contract.ts';
import type { AuthUser } from '#platform/http/auth.ts';
import { serve } from '#platform/http/routes.ts';

export function createAccountState({ app: { config, db }, notifier }: AccountTools) {
  /** The account state; null if the account was deleted. */
  function stateOf(userId: number): AccountState | null {
    const user = accountStore(db).byId(userId);
    if (!user) return null;
    const lacksSecondFactor = config.adminTotp && user.isAdmin && !secondFactorStore(db).on(userId);
    return toAccountState({ ...user, lacksSecondFactor });
  }
  return {
    stateOf,
    /** Sends the account state to the user's open windows; call it after the commit. */
    notify(userId: number): void {
      const state = stateOf(userId);
      if (state) notifier.accountChanged(userId, state);
    },
  };
}

const SECRET_BYTES = 20;
const IS_ON = 'Two-factor login is already on. Reload the page.';
const IS_OFF = 'Two-factor login is not on. Reload the page.';
const NOT_BEGUN = 'The setup took too long, or was started again in another window. Start again.';

function status({ app: { config, db } }: AccountTools, userId: number) {
  const row = secondFactorStore(db).on(userId);
  const isAdmin = accountStore(db).byId(userId)?.isAdmin ?? false;
  const recoveryCodesLeft = Math.min(row?.recoveryHashes.length ?? 0, RECOVERY_CODES);
  return { on: row !== undefined, demanded: config.adminTotp && isAdmin, recoveryCodesLeft };
}

/**
 * Creates a secret for an authenticator app. It becomes active with the first code.
 * @throws AppError 400 for a wrong password, 403, 409 if already active, 429, 503
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

/** Runs `work` in the transaction of a correct code. @throws AppError 400, 409, 429 */
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
    if (!consumeCode(tools, totp, asked.rowOf(), { given, now })) {
      attempt.wrong();
      throw new AppError(400, { field: 'code', message: wrongCode(now) });
    }
    attempt.right();
    return asked.work(now);
  });
}

/**
 * Runs `work` in one transaction, with a correct code if the account has two-factor login.
 * @param code null for an account without it
 * @throws AppError 400 without a correct code, 409, 429
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
    // Two-factor login was turned on during the check.
    if (isOn()) throw new AppError(400, { field: 'code', message: 'Enter the code' });
    return work();
  });
}

/** @throws AppError 409 if two-factor login is not active */
function requireOn({ app: { db } }: AccountTools, userId: number): SecondFactorRow {
  const row = secondFactorStore(db).on(userId);
  if (!row) throw new AppError(409, IS_OFF);
  return row;
}

/** @throws AppError 409 if no set-up was begun recently */
function requireBegun({ app: { clock, db } }: AccountTools, userId: number): SecondFactorRow {
  const row = secondFactorStore(db).read(userId);
  if (row && row.confirmedAt !== null) throw new AppError(409, IS_ON);
  if (!row || row.begunAt < clock.now() - SET_UP_MS) throw new AppError(409, NOT_BEGUN);
  return row;
}

/** Activates two-factor login. Ends the other login sessions, because they were opened without a code. */
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
  createAccountState(tools).notify(userId);
  return codes;
}

type Proof = { password: string; code: string };

function createSecondFactor(tools: AccountTools) {
  const proved = async <T>(self: Self, { password, code }: Proof, work: () => T): Promise<T> => {
    const { userId, address } = self;
    await tools.checkPassword({ userId, password, address }, 'password');
    return withCode(tools, self, { code, rowOf: () => requireOn(tools, userId), work });
  };
  return {
    stateOf: (userId: number) => status(tools, userId),
    begin: (self: Self, password: string) => begin(tools, self, password),
    /** @returns the recovery codes @throws AppError 400, 409, 429 */
    confirm: (self: Self, code: string) => confirm(tools, self, code),
    /** @returns new recovery codes; the old ones become invalid @throws AppError 400, 403, 409, 429, 503 */
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
      createAccountState(tools).notify(self.userId);
    },
  };
}

type Asking = {
  selfOf(request: Request, user: AuthUser): Self;
  /** @throws AppError 429 */
  countChange(userId: number): void;
};

/** @throws AppError 400 if the password is empty */
function needPassword(password: string): string {
  if (password === '') throw new AppError(400, { field: 'password', message: 'Enter your password' });
  return password;
}

type Factor = ReturnType<typeof createSecondFactor>;

const setUpRoutes = (factor: Factor, { selfOf, countChange }: Asking) =>
  serve(ACCOUNTS, {
    'GET /api/settings/second-factor': ({ user }) => factor.stateOf(user.id),
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

export function secondFactorRoutes(tools: AccountTools, asking: Asking) {
  const factor = createSecondFactor(tools);
  return [...setUpRoutes(factor, asking), ...provedRoutes(factor, asking)];
}
