import { capitalised } from '#lib/wording.ts';
import { useState, useCallback } from 'react';
import { EmptyState } from '#ui/EmptyState.tsx';
import { NativeSelect } from '#ui/Field.tsx';
import { LoadedBody, SectionTools } from '#admin/web/parts/LoadedBody.tsx';
import { Headed, MoreButton, RecordTable, usePages } from '#admin/web/parts/RecordTable.tsx';
import '#admin/web/shared/admin.css';
import { auditAnswer, type Difference, differences } from '#admin/audit/answers/audit.ts';
import { DASH } from '#texts/format.ts';
import { formatMoment } from '#texts/moment.ts';
import { SYDNEY } from '#lib/sydneyTime.ts';
import type { Known } from '#lib/contract/fields.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { readerOf, request } from '#web/api/client.ts';
import { type AdminActionKind, useAdminActions } from '#admin/web/parts/adminActions.ts';

type AuditPage = Known<typeof auditAnswer>;
type AuditEntry = AuditPage['entries'][number];

/** Chosen filters; empty means all. `by` is an administrator's id as text, or '0' for the server. */
type AuditFilter = { action: string; by: string };

async function fetchAudit({ action, by }: AuditFilter, before?: number): Promise<AuditPage> {
  const query = {
    ...(action === '' ? {} : { action }),
    ...(by === '' ? {} : { by: Number(by) }),
    ...(before === undefined ? {} : { before }),
  };
  return request('GET /api/admin/audit', { query, read: readerOf(auditAnswer) });
}

const join = (page: AuditPage, added: AuditPage): AuditPage => ({
  ...added,
  entries: [...page.entries, ...added.entries],
});

const EVERY_KIND: readonly AdminActionKind[] = ['plans', 'users', 'other'];

function useAudit({ action, by }: AuditFilter) {
  const fetchPage = useCallback((before?: number) => fetchAudit({ action, by }, before), [action, by]);
  const pages = usePages(fetchPage, join, ADMIN_MESSAGES.load);
  useAdminActions(EVERY_KIND, pages.loaded.reload);
  return pages;
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { shown, more } = differences(entry.before, entry.after);
  return (
    <tr className="audit-row">
      <td data-heading="When">
        <When at={entry.at} />
      </td>
      <td data-heading="Who">{entry.by?.display ?? 'The server'}</td>
      <th scope="row">{capitalised(entry.action)}</th>
      <td data-heading="To">{entry.target}</td>
      <td data-heading="Before and after">
        {shown.length === 0 ? (
          DASH
        ) : (
          <ul>
            {shown.map((difference) => (
              <Change key={difference.what} difference={difference} />
            ))}
            {more > 0 && <li>and {more} more</li>}
          </ul>
        )}
      </td>
      <td data-heading="Reason">{entry.reason ?? DASH}</td>
    </tr>
  );
}

/** A time in Sydney, and in the viewer's zone if that differs. */
function When({ at }: { at: string | null }) {
  const sydney = formatMoment(at, SYDNEY);
  const here = formatMoment(at);
  return (
    <>
      <time dateTime={at ?? undefined}>{sydney} Sydney</time>
      {here !== sydney && <p className="cell-note">{here} here</p>}
    </>
  );
}

function Change({ difference: { what, before, after } }: { difference: Difference }) {
  const name = what === '' ? '' : `${what}: `;
  if (before === null) {
    return (
      <li>
        {name}
        <ins>{after}</ins>
      </li>
    );
  }
  return (
    <li>
      {name}
      <del>{before}</del>
      {after !== null && (
        <>
          {' → '}
          <ins>{after}</ins>
        </>
      )}
    </li>
  );
}

const HEADINGS = ['When', 'Who', 'What', 'To', 'Before and after', 'Reason'];

type Option = { id: string; label: string };

function optionsOf(all: string, chosen: string, known: readonly Option[]): Option[] {
  const options = [{ id: '', label: all }, ...known, { id: chosen, label: chosen }];
  return [...new Map(options.toReversed().map((option) => [option.id, option])).values()].toReversed();
}

/** The audit log, newest first. */
export function AuditTrail() {
  const [filter, setFilter] = useState<AuditFilter>({ action: '', by: '' });
  const audit = useAudit(filter);
  const { data, isLoading, reload } = audit.loaded;
  const actions = (data?.actions ?? []).map((id) => ({ id, label: capitalised(id) }));
  const people = (data?.administrators ?? []).map(({ id, display }) => ({ id: String(id), label: display }));
  return (
    <div className="line-above stack self-stretch" role="group" aria-labelledby="audit-title">
      <Headed level={3} id="audit-title" title="Audit">
        <SectionTools isLoading={isLoading} onRefresh={() => void reload()}>
          <NativeSelect
            label="Action"
            value={filter.action}
            options={optionsOf('All actions', filter.action, actions)}
            onChoose={(action) => setFilter({ ...filter, action })}
          />
          <NativeSelect
            label="Administrator"
            value={filter.by}
            options={optionsOf('Everyone', filter.by, [...people, { id: '0', label: 'The server' }])}
            onChoose={(by) => setFilter({ ...filter, by })}
          />
        </SectionTools>
        <LoadedBody loaded={audit.loaded} label="Loading audit log…">
          {(page) => (
            <Entries page={page} audit={audit} isFiltered={filter.action !== '' || filter.by !== ''} />
          )}
        </LoadedBody>
      </Headed>
    </div>
  );
}

type EntriesProps = { page: AuditPage; audit: ReturnType<typeof useAudit>; isFiltered: boolean };

const onceEach = (entries: readonly AuditEntry[]): AuditEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

function Entries({ page, audit, isFiltered }: EntriesProps) {
  if (page.entries.length === 0) {
    return <EmptyState>{isFiltered ? 'No matching entries.' : 'No entries yet.'}</EmptyState>;
  }
  return (
    <>
      <RecordTable label="Audit" headings={HEADINGS} isBusy={audit.loaded.isLoading} isText>
        {onceEach(page.entries).map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </RecordTable>
      <MoreButton pages={audit} what="entries" />
    </>
  );
}
