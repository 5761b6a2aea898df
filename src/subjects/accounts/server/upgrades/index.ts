import { ACCOUNTS } from '#subjects/accounts/contract.ts';
import { serve } from '#platform/http/routes.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { App, Part } from '#platform/app.ts';
import { createUpgradesService, type Upgrades } from './service.ts';
import { upgradeStore } from './store.ts';

const MAX_WRITES_A_MINUTE = 20;

/** The upgrade requests of specification 7.1 and 7.7, with taking back, declining and dismissing besides. */
const routesOf = (upgrades: Upgrades) =>
  serve(ACCOUNTS, {
    'POST /api/settings/request-upgrade': ({ user, body }) => upgrades.request(user.id, body.level),
    'POST /api/settings/withdraw-upgrade': ({ user }) => upgrades.withdraw(user.id),
    'POST /api/settings/dismiss-declined-upgrade': ({ user }) => upgrades.dismissDeclined(user.id),
    'GET /api/admin/upgrade-requests': () => ({ requests: upgrades.pending() }),
    'POST /api/admin/approve-upgrade': ({ user, body }) => ({
      success: true as const,
      username: upgrades.approve(user.id, body),
    }),
    'POST /api/admin/decline-upgrade': ({ user, body }) => ({
      success: true as const,
      username: upgrades.decline(user.id, body),
    }),
  });

/** Requests for the paid plans. */
export function createUpgrades(app: App) {
  const countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your upgrade request');
  const service = createUpgradesService({ ...app, store: upgradeStore(app.db), countWrite });
  return { name: 'upgrades', routes: () => routesOf(service) } satisfies Part;
}
