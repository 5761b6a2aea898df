import { Elysia } from 'elysia';
import type { Auth } from '../../http/auth.ts';
import type { Core, Part } from '../../part.ts';
import { auditAnswer, auditQuery } from './model.ts';
import { type Audit, createAuditService } from './service.ts';

/** Reading is all there is: no route changes or deletes an entry, and the database refuses it too. */
const routesOf = (auth: Auth, audit: Audit) =>
  new Elysia({ name: 'audit' })
    .use(auth)
    .get(
      '/admin/audit',
      ({ query: { before, action, by } }) =>
        audit.list({ before, action: action || undefined, by: by === 0 ? null : by }),
      { minLevel: 4, query: auditQuery, response: { 200: auditAnswer } },
    );

/** Who of the administrators did what, and when. */
export function createAudit({ db, clock }: Pick<Core, 'db' | 'clock'>, { auth }: { auth: Auth }) {
  const service = createAuditService({ db, clock });
  return { name: 'audit', service, routes: () => routesOf(auth, service) } satisfies Part;
}
