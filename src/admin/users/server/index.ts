import { Elysia } from 'elysia';
import type { Auth } from '#platform/http/auth.ts';
import { createWriteLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import type { Core, Part } from '#src/part.ts';
import { type UsersDeps, createUsersService, type Users } from './service.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { USERS } from '../contract.ts';
import { userStore } from './store.ts';

const MAX_EDITS_A_MINUTE = 60;

/** GET /admin/users, GET and PUT /admin/users/{id} (specification 7.7). */
const routesOf = (auth: Auth, users: Users, countEdit: UserLimit) =>
  new Elysia({ name: 'users' })
    .use(auth)
    .get('/admin/users', ({ query: { q = '', before } }) => users.list(q, before), {
      minLevel: 4,
      ...routeSchemas(USERS['GET /api/admin/users']),
    })
    .get('/admin/users/:id', ({ params }) => users.user(params.id), {
      minLevel: 4,
      ...routeSchemas(USERS['GET /api/admin/users/:id']),
    })
    .put(
      '/admin/users/:id',
      ({ user, params, body: { seen = {}, ...sent } }) => {
        countEdit(user.id);
        return users.edit({ userId: params.id, administratorId: user.id, sent, seen });
      },
      { minLevel: 4, ...routeSchemas(USERS['PUT /api/admin/users/:id']) },
    )
    .post(
      '/admin/users/:id/clear-second-factor',
      ({ user, params }) => {
        countEdit(user.id);
        return users.clearSecondFactor(user.id, params.id);
      },
      { minLevel: 4, ...routeSchemas(USERS['POST /api/admin/users/:id/clear-second-factor']) },
    );

export type UsersNeeds = Omit<UsersDeps, 'store' | 'clock'> & { auth: Auth };

/** All accounts, for administrators. */
export function createUsers({ db, clock }: Core, { auth, ...needs }: UsersNeeds) {
  const service = createUsersService({ store: userStore(db), clock, ...needs });
  const countEdit = createWriteLimit(clock, MAX_EDITS_A_MINUTE, 'accounts');
  return { name: 'users', routes: () => routesOf(auth, service, countEdit) } satisfies Part;
}
