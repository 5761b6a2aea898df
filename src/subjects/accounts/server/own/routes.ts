import type { App } from '#platform/app.ts';
import { ACCOUNTS } from '#subjects/accounts/contract.ts';
import { checkPasswordChange, type PasswordChange } from '#subjects/accounts/rules/accountRules.ts';
import type { AuthUser } from '#platform/http/auth.ts';
import { serve } from '#platform/http/routes.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { addressKey } from '#lib/addresses.ts';
import { deleteAccount } from './deletion.ts';
import type { AccountTools, Self } from '../tools.ts';
import { exportData } from './export.ts';
import { sessionStore, type SessionRow } from '../sessions.ts';
import { secondFactorRoutes, withCodeIfOn } from '../secondFactor/service.ts';
import { accountStore } from '../store.ts';

type Me = Pick<Self, 'userId' | 'sessionId'>;

const ID_LENGTH = 16;

/** An id that identifies a session to its owner. The real id is part of the token and must stay secret. */
const publicId = ({ id }: SessionRow): string =>
  new Bun.CryptoHasher('sha256').update(id).digest('base64url').slice(0, ID_LENGTH);

function listSessions({ clock, db, lastSeen }: App, { userId, sessionId }: Me) {
  return sessionStore(db)
    .goodOf(userId, clock.now())
    .map((row) => {
      const seen = lastSeen.of(row.id) ?? row.lastSeenAt;
      return {
        id: publicId(row),
        device: row.device,
        createdAt: new Date(row.createdAt).toISOString(),
        lastSeenAt: seen === null ? null : new Date(seen).toISOString(),
        current: row.id === sessionId,
      };
    })
    .toSorted((one, other) => Number(other.current) - Number(one.current));
}

/** Ends another login session of the user. @throws AppError 400 for the current one, 404 if it has already ended */
function endSession(
  { app: { clock, db }, notifier }: AccountTools,
  { userId, sessionId }: Me,
  id: string,
): void {
  const store = sessionStore(db);
  const found = store.goodOf(userId, clock.now()).find((row) => publicId(row) === id);
  if (!found) throw new AppError(404, 'That login session has already ended. Reload the list.');
  if (found.id === sessionId) throw new AppError(400, 'To end your current login session, log out.');
  store.revoke(found.id, clock.now());
  notifier.sessionsEnded(userId);
}

function endOtherSessions({ app: { clock, db }, notifier }: AccountTools, { userId, sessionId }: Me): void {
  sessionStore(db).revokeOthers(userId, sessionId, clock.now());
  notifier.sessionsEnded(userId);
}

const OVERTAKEN = 'Your password or login session was changed in another window. Log in again.';

/**
 * Sets a new password and ends the user's other login sessions.
 * @param change as returned by `checkPasswordChange`
 * @throws AppError 400 for a wrong current password or code, 401 if another change came first, 403, 429, 503
 */
async function changePassword(tools: AccountTools, self: Self, change: PasswordChange): Promise<void> {
  const { clock, db, passwords } = tools.app;
  const { userId, sessionId, address } = self;
  const { currentPassword, newPassword, code = null } = change;
  const known = await tools.checkPassword({ userId, password: currentPassword, address }, 'currentPassword');
  const caller = { address, name: `account ${userId}`, rank: 0 } as const;
  const passwordHash = await passwords.hash(newPassword, caller);
  const store = accountStore(db);
  const sessions = sessionStore(db);
  const work = (): void => {
    // Checked again, because the account may have changed during hashing.
    const isSame = store.byId(userId)?.passwordHash === known.passwordHash;
    const isGood = sessions.goodOf(userId, clock.now()).some(({ id }) => id === sessionId);
    if (!isSame || !isGood) throw new AppError(401, OVERTAKEN);
    store.update(userId, { passwordHash });
    sessions.revokeOthers(userId, sessionId, clock.now());
  };
  await withCodeIfOn(tools, self, { code, work });
  tools.notifier.sessionsEnded(userId);
}

const MAX_CHANGES_A_MINUTE = 30;
/** Limited because an export may have megabytes. */
const MAX_EXPORTS_A_MINUTE = 3;
const EXPORT_HEADERS = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="bellbird-data.json"',
  'cache-control': 'no-store',
};
const asAnswer = (data: ConstructorParameters<typeof Response>[0]): Response =>
  new Response(data, { headers: EXPORT_HEADERS });
const DONE = { success: true as const };

type Asking = {
  selfOf(request: Request, user: AuthUser): Self;
  /** @throws AppError 429 */
  countChange(userId: number): void;
};

const sessionRoutes = (tools: AccountTools, { selfOf, countChange }: Asking) =>
  serve(ACCOUNTS, {
    'GET /api/settings/sessions': ({ user, request }) => ({
      sessions: listSessions(tools.app, selfOf(request, user)),
    }),
    'POST /api/settings/sessions/end': ({ user, body, request }) => {
      countChange(user.id);
      endSession(tools, selfOf(request, user), body.id);
      return DONE;
    },
    'POST /api/settings/sessions/end-others': ({ user, request }) => {
      countChange(user.id);
      endOtherSessions(tools, selfOf(request, user));
      return DONE;
    },
  });

const passwordRoutes = (tools: AccountTools, { selfOf, countChange }: Asking) =>
  serve(ACCOUNTS, {
    'POST /api/settings/password': async ({ user, body, request }) => {
      const change = accepted(checkPasswordChange(body));
      countChange(user.id);
      await changePassword(tools, selfOf(request, user), change);
      return DONE;
    },
    'POST /api/settings/delete-account': async ({ user, body, request }) => {
      if (body.password === '') {
        throw new AppError(400, { field: 'password', message: 'Enter your password' });
      }
      countChange(user.id);
      await deleteAccount(tools, selfOf(request, user), {
        password: body.password,
        code: body.code ?? null,
      });
      return DONE;
    },
  });

export function ownAccountRoutes(tools: AccountTools) {
  const { app } = tools;
  const countChange = createWriteLimit(app.clock, MAX_CHANGES_A_MINUTE, 'your account');
  const countExport = createWriteLimit(app.clock, MAX_EXPORTS_A_MINUTE, 'what you download');
  const selfOf = (request: Request, user: AuthUser): Self => ({
    userId: user.id,
    sessionId: user.sessionId,
    address: addressKey(app.clientAddress(request)),
  });
  return [
    ...serve(ACCOUNTS, {
      'GET /api/settings/export': ({ user }) => {
        countExport(user.id);
        return asAnswer(exportData(app, user.id));
      },
    }),
    ...passwordRoutes(tools, { selfOf, countChange }),
    ...sessionRoutes(tools, { selfOf, countChange }),
    ...secondFactorRoutes(tools, { selfOf, countChange }),
  ];
}
