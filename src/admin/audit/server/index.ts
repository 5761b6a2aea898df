import { AUDIT } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import { userKey } from '#platform/http/requestLimits.ts';
import type { App, Part } from '#platform/app.ts';
import { type Audit, createAuditService } from './service.ts';

/** Read-only routes: none changes or deletes an entry, and the database refuses it too. */
const routesOf = ({ reads, audit }: App) =>
  serve(AUDIT, {
    'GET /api/admin/audit': ({ user, query: { before, action, by } }) => {
      const filter = { before, action: action || undefined, by: by === 0 ? null : by };
      return reads.run(userKey(user.id), 'audit', audit.listInSteps(filter));
    },
  });

export function createAudit(app: App) {
  const service = createAuditService(app);
  return { name: 'audit', service, routes: () => routesOf(app) } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    audit: Audit;
  }
}
