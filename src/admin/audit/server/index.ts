import { AUDIT } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import { userKey } from '#platform/http/callerKey.ts';
import type { ReadQueue } from '#platform/http/readQueue.ts';
import type { App, Part } from '#platform/app.ts';
import { type Audit, createAuditService } from './service.ts';

export type AuditNeeds = { reads: ReadQueue };

/** Reading is all there is: no route changes or deletes an entry, and the database refuses it too. */
const routesOf = ({ reads }: AuditNeeds, audit: Audit) =>
  serve(AUDIT, {
    'GET /api/admin/audit': ({ user, query: { before, action, by } }) => {
      const filter = { before, action: action || undefined, by: by === 0 ? null : by };
      return reads.run(userKey(user.id), 'audit', audit.listInSteps(filter));
    },
  });

/** Who of the administrators did what, and when. */
export function createAudit({ db, clock }: App, needs: AuditNeeds) {
  const service = createAuditService({ db, clock });
  return { name: 'audit', service, routes: () => routesOf(needs, service) } satisfies Part;
}
