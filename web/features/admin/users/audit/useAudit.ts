import { useCallback, useEffect } from 'react';
import { MESSAGES } from '../../../../../src/domain/messages.ts';
import { api, unwrap } from '../../../../shared/api/client.ts';
import { usePages } from '../../parts/usePages.ts';
import { type AuditPage, readAudit } from './readAudit.ts';

/** '' leaves nothing out; `by` is an administrator's id as text, '0' the server itself. */
export type AuditFilter = { action: string; by: string };

async function fetchAudit({ action, by }: AuditFilter, before?: number): Promise<AuditPage> {
  const query = {
    ...(action === '' ? {} : { action }),
    ...(by === '' ? {} : { by: Number(by) }),
    ...(before === undefined ? {} : { before }),
  };
  return readAudit(await unwrap(api.admin.audit.get({ query })));
}

const join = (page: AuditPage, added: AuditPage): AuditPage => ({
  ...added,
  entries: [...page.entries, ...added.entries],
});

/**
 * What administrators did, page after page.
 * @param changes another number when there may be more of it
 */
export function useAudit({ action, by }: AuditFilter, changes: number) {
  const fetchPage = useCallback((before?: number) => fetchAudit({ action, by }, before), [action, by]);
  const pages = usePages(fetchPage, join, MESSAGES.admin.load);
  const { reload } = pages.loaded;
  useEffect(() => {
    if (changes > 0) void reload();
  }, [changes, reload]);
  return pages;
}
