import { useState } from 'react';
import { EmptyState } from '../../../../../web/ui/EmptyState.tsx';
import { NativeSelect } from '../../../../../web/ui/NativeSelect.tsx';
import { LoadedBody } from '../../../web/parts/LoadedBody.tsx';
import { MoreButton } from '../../../web/parts/MoreButton.tsx';
import { RecordTable } from '../../../web/parts/RecordTable.tsx';
import { SectionTools } from '../../../web/parts/SectionTools.tsx';
import { AuditRow, actionText } from './AuditRow.tsx';
import './AuditTrail.css';
import { type AuditFilter, type AuditPage, useAudit } from './useAudit.ts';

const HEADINGS = ['When', 'Who', 'What', 'To', 'Before and after', 'Reason'];

type Option = { id: string; label: string };

/** What can be chosen, each once, the choice itself always among it. */
function optionsOf(all: string, chosen: string, known: readonly Option[]): Option[] {
  const options = [{ id: '', label: all }, ...known, { id: chosen, label: chosen }];
  return [...new Map(options.toReversed().map((option) => [option.id, option])).values()].toReversed();
}

/** What administrators did, newest first. Nobody can change it. */
export function AuditTrail() {
  const [filter, setFilter] = useState<AuditFilter>({ action: '', by: '' });
  const audit = useAudit(filter);
  const { data, isLoading, reload } = audit.loaded;
  const actions = (data?.actions ?? []).map((id) => ({ id, label: actionText(id) }));
  const people = (data?.administrators ?? []).map(({ id, display }) => ({ id: String(id), label: display }));
  return (
    <div className="audit-trail" role="group" aria-labelledby="audit-title">
      <h3 id="audit-title">Audit</h3>
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
          options={optionsOf('Everybody', filter.by, [...people, { id: '0', label: 'The server' }])}
          onChoose={(by) => setFilter({ ...filter, by })}
        />
      </SectionTools>
      <LoadedBody loaded={audit.loaded} label="Loading the audit…">
        {(page) => (
          <Entries page={page} audit={audit} isFiltered={filter.action !== '' || filter.by !== ''} />
        )}
      </LoadedBody>
    </div>
  );
}

type EntriesProps = { page: AuditPage; audit: ReturnType<typeof useAudit>; isFiltered: boolean };

function Entries({ page, audit, isFiltered }: EntriesProps) {
  if (page.entries.length === 0) {
    return <EmptyState>{isFiltered ? 'No matching entries.' : 'No entries yet.'}</EmptyState>;
  }
  return (
    <>
      <RecordTable label="Audit" headings={HEADINGS} isBusy={audit.loaded.isLoading} isText>
        {page.entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </RecordTable>
      <MoreButton pages={audit} what="entries" />
    </>
  );
}
