import { createWriteLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import type { App, Part } from '#platform/app.ts';
import { createUsersService, type Users } from './service.ts';
import { serve } from '#platform/http/routes.ts';
import { USERS } from '../contract.ts';

const MAX_EDITS_A_MINUTE = 60;

/** GET /admin/users, GET and PUT /admin/users/{id} (specification 7.7). */
const routesOf = (users: Users, countEdit: UserLimit) =>
  serve(USERS, {
    'GET /api/admin/users': ({ query: { q = '', before } }) => users.list(q, before),
    'GET /api/admin/users/:id': ({ params }) => users.user(params.id),
    'PUT /api/admin/users/:id': ({ user, params, body: { seen = {}, ...sent } }) => {
      countEdit(user.id);
      return users.edit({ userId: params.id, administratorId: user.id, sent, seen });
    },
    'POST /api/admin/users/:id/clear-second-factor': ({ user, params }) => {
      countEdit(user.id);
      return users.clearSecondFactor(user.id, params.id);
    },
  });

/** All accounts, for administrators. */
export function createUsers(app: App) {
  const service = createUsersService(app);
  const countEdit = createWriteLimit(app.clock, MAX_EDITS_A_MINUTE, 'accounts');
  return { name: 'users', routes: () => routesOf(service, countEdit) } satisfies Part;
}
