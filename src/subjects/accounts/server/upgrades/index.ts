import { Elysia } from 'elysia';
import { ACCOUNTS } from '#subjects/accounts/contract.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import type { Auth } from '#platform/http/auth.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { Core, Part } from '#src/part.ts';
import { type UpgradesDeps, createUpgradesService, type Upgrades } from './service.ts';
import { upgradeStore } from './store.ts';

const MAX_WRITES_A_MINUTE = 20;

/** The upgrade requests of specification 7.1 and 7.7, with taking back, declining and dismissing besides. */
const routesOf = (auth: Auth, upgrades: Upgrades) =>
  new Elysia({ name: 'upgrades' })
    .use(auth)
    .post('/settings/request-upgrade', ({ user, body }) => upgrades.request(user.id, body.level), {
      minLevel: 1,
      ...routeSchemas(ACCOUNTS['POST /api/settings/request-upgrade']),
    })
    .post('/settings/withdraw-upgrade', ({ user }) => upgrades.withdraw(user.id), {
      minLevel: 1,
      ...routeSchemas(ACCOUNTS['POST /api/settings/withdraw-upgrade']),
    })
    .post('/settings/dismiss-declined-upgrade', ({ user }) => upgrades.dismissDeclined(user.id), {
      minLevel: 1,
      ...routeSchemas(ACCOUNTS['POST /api/settings/dismiss-declined-upgrade']),
    })
    .get('/admin/upgrade-requests', () => ({ requests: upgrades.pending() }), {
      minLevel: 4,
      ...routeSchemas(ACCOUNTS['GET /api/admin/upgrade-requests']),
    })
    .post(
      '/admin/approve-upgrade',
      ({ user, body }) => ({ success: true as const, username: upgrades.approve(user.id, body) }),
      { minLevel: 4, ...routeSchemas(ACCOUNTS['POST /api/admin/approve-upgrade']) },
    )
    .post(
      '/admin/decline-upgrade',
      ({ user, body }) => ({ success: true as const, username: upgrades.decline(user.id, body) }),
      { minLevel: 4, ...routeSchemas(ACCOUNTS['POST /api/admin/decline-upgrade']) },
    );

export type UpgradesNeeds = Pick<UpgradesDeps, 'audit' | 'accounts' | 'outbox' | 'chatsOf'> & { auth: Auth };

/** Requests for the paid plans. */
export function createUpgrades({ db, clock }: Core, { auth, ...needs }: UpgradesNeeds) {
  const countWrite = createWriteLimit(clock, MAX_WRITES_A_MINUTE, 'your upgrade request');
  const service = createUpgradesService({ ...needs, store: upgradeStore(db), clock, countWrite });
  return { name: 'upgrades', routes: () => routesOf(auth, service) } satisfies Part;
}
