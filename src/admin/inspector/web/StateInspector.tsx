import { useState } from 'react';
import { formatClock } from '#texts/format.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { SectionTools } from '#admin/web/parts/SectionTools.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { fetchSummary, useSnapshotCache, StateDialog, StateFigures } from './StateDialog.tsx';
import type { StateSection } from '../answers/state.ts';
import { Button } from '#ui/Button.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';

type StateTableProps = { sections: readonly StateSection[]; onInspect(section: StateSection): void };

const HEADINGS = ['Name', 'Type', 'Stats', 'Inspect'];

/** The parts of the server that can be looked into. */
const StateTable = ({ sections, onInspect }: StateTableProps) => (
  <RecordTable label="Parts of the server" headings={HEADINGS}>
    {sections.map((section) => (
      <tr key={section.key}>
        <th scope="row" className="setting-name" title={section.description}>
          {section.label}
        </th>
        <td className="nowrap" data-heading="Type">
          {section.type}
        </td>
        <td data-heading="Stats">
          {section.error === null ? (
            <StateFigures stats={section.stats} />
          ) : (
            <span className="warn-text">{section.error}</span>
          )}
        </td>
        <td className="row-actions">
          <Button aria-label={`Inspect ${section.label}`} onClick={() => onInspect(section)}>
            Inspect
          </Button>
        </td>
      </tr>
    ))}
  </RecordTable>
);

/** What the running server holds, part by part. */
export function StateInspector() {
  const loaded = useLoaded(fetchSummary, () => ADMIN_MESSAGES.loadInternalState);
  const { data, isLoading, reload } = loaded;
  const cache = useSnapshotCache();
  const [inspected, setInspected] = useState<StateSection | null>(null);
  const refresh = () => {
    cache.clear();
    void reload();
  };
  return (
    <>
      <SectionTools isLoading={isLoading} onRefresh={refresh}>
        <span className="muted">{data && `Fetched ${formatClock(data.fetchedAt)}`}</span>
      </SectionTools>
      <LoadedBody loaded={loaded} label="Loading the server’s state…" rows={8}>
        {({ sections }) =>
          sections.length === 0 ? (
            <EmptyState>No server state to show.</EmptyState>
          ) : (
            <StateTable sections={sections} onInspect={setInspected} />
          )
        }
      </LoadedBody>
      {inspected !== null && (
        <StateDialog
          key={inspected.key}
          section={inspected}
          cache={cache}
          onClose={() => setInspected(null)}
        />
      )}
    </>
  );
}
