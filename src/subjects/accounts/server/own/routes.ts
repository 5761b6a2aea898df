import { Elysia } from 'elysia';
import type { Wire } from '../../../../lib/contract/fields.ts';
import type { exportAnswer } from '../../answers/own.ts';
import { ACCOUNTS } from '../../contract.ts';
import { checkPasswordChange } from '../../rules/ownAccount.ts';
import type { Auth, AuthUser } from '../../../../platform/http/auth.ts';
import { routeSchemas } from '../../../../platform/http/contract.ts';
import type { Connections } from '../../../../platform/http/connections.ts';
import type { ReadQueue } from '../../../../platform/http/readQueue.ts';
import { accepted, AppError } from '../../../../platform/http/errors.ts';
import { createWriteLimit } from '../../../../platform/http/requestLimits.ts';
import { addressKey } from '../../../../lib/addressKey.ts';
import { deleteAccount } from './deletion.ts';
import type { OwnDeps, Self } from './deps.ts';
import { exportData } from './export.ts';
import { endOtherSessions, endSession, listSessions } from './loginSessions.ts';
import { changePassword } from './password.ts';

const MAX_CHANGES_A_MINUTE = 30;
/** Everything of a person may be megabytes. */
const MAX_EXPORTS_A_MINUTE = 3;
const EXPORT_HEADERS = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="bellbird-data.json"',
  'cache-control': 'no-store',
};
/** What is sent as it is read; typed as what is in it. */
const asAnswer = (data: ConstructorParameters<typeof Response>[0]): Wire<typeof exportAnswer> =>
  new Response(data, { headers: EXPORT_HEADERS }) as unknown as Wire<typeof exportAnswer>;
const DONE = { success: true as const };

/** What a person does with their own account, in Settings. */
export function ownAccountRoutes(
  auth: Auth,
  deps: OwnDeps & Pick<Connections, 'clientAddress'> & { reads: Pick<ReadQueue, 'run'> },
) {
  const countChange = createWriteLimit(deps.clock, MAX_CHANGES_A_MINUTE, 'your account');
  const countExport = createWriteLimit(deps.clock, MAX_EXPORTS_A_MINUTE, 'what you download');
  const selfOf = (request: Request, user: AuthUser): Self => ({
    userId: user.id,
    sessionId: user.sessionId,
    address: addressKey(deps.clientAddress(request)),
  });
  return new Elysia({ name: 'accounts.own', prefix: '/settings' })
    .use(auth)
    .post(
      '/password',
      async ({ user, body, request }) => {
        const change = accepted(checkPasswordChange(body));
        countChange(user.id);
        await changePassword(deps, selfOf(request, user), change);
        return DONE;
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['POST /api/settings/password']) },
    )
    .get('/sessions', ({ user, request }) => ({ sessions: listSessions(deps, selfOf(request, user)) }), {
      minLevel: 1,
      ...routeSchemas(ACCOUNTS['GET /api/settings/sessions']),
    })
    .post(
      '/sessions/end',
      ({ user, body, request }) => {
        countChange(user.id);
        endSession(deps, selfOf(request, user), body.id);
        return DONE;
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['POST /api/settings/sessions/end']) },
    )
    .post(
      '/sessions/end-others',
      ({ user, request }) => {
        countChange(user.id);
        endOtherSessions(deps, selfOf(request, user));
        return DONE;
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['POST /api/settings/sessions/end-others']) },
    )
    .get(
      '/export',
      ({ user }) => {
        countExport(user.id);
        return asAnswer(exportData(deps, user.id));
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['GET /api/settings/export']) },
    )
    .post(
      '/delete-account',
      async ({ user, body, request }) => {
        if (body.password === '') {
          throw new AppError(400, { field: 'password', message: 'Type your password' });
        }
        countChange(user.id);
        await deleteAccount(deps, selfOf(request, user), body.password);
        return DONE;
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['POST /api/settings/delete-account']) },
    );
}
