import { useCallback } from 'react';
import { auditAnswer } from '../../answers/audit.ts';
import type { Known } from '../../../../lib/contract/fields.ts';
import { ADMIN_MESSAGES } from '../../../../texts/adminMessages.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { readerOf } from '../../../../../web/api/readerOf.ts';
import { type AdminActionKind, useAdminActions } from '../../../web/parts/adminActions.ts';
import { usePages } from '../../../web/parts/usePages.ts';

/** A page of what was done; what is not known of it is null. */
export type AuditPage = Known<typeof auditAnswer>;
export type AuditEntry = AuditPage['entries'][number];

/** '' leaves nothing out; `by` is an administrator's id as text, '0' the server itself. */
export type AuditFilter = { action: string; by: string };

async function fetchAudit({ action, by }: AuditFilter, before?: number): Promise<AuditPage> {
  const query = {
    ...(action === '' ? {} : { action }),
    ...(by === '' ? {} : { by: Number(by) }),
    ...(before === undefined ? {} : { before }),
  };
  return unwrap(api.admin.audit.get({ query }), readerOf(auditAnswer));
}

const join = (page: AuditPage, added: AuditPage): AuditPage => ({
  ...added,
  entries: [...page.entries, ...added.entries],
});

const EVERY_KIND: readonly AdminActionKind[] = ['plans', 'users', 'other'];

/** What administrators did, page after page; loaded again after each action in the panel. */
export function useAudit({ action, by }: AuditFilter) {
  const fetchPage = useCallback((before?: number) => fetchAudit({ action, by }, before), [action, by]);
  const pages = usePages(fetchPage, join, ADMIN_MESSAGES.load);
  useAdminActions(EVERY_KIND, pages.loaded.reload);
  return pages;
}
