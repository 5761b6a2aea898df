import { useState } from 'react';
import { formatClock } from '../../../texts/format.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { SectionTools } from '../../web/parts/SectionTools.tsx';
import { useLoaded } from '../../../../web/shared/useLoaded.ts';
import { fetchSummary } from './api.ts';
import type { StateSection } from './readState.ts';
import { StateDialog } from './StateDialog.tsx';
import { StateTable } from './StateTable.tsx';
import { useSnapshotCache } from './useSnapshot.ts';

/** What the running server holds, part by part. */
export function StateInspector() {
  const loaded = useLoaded(fetchSummary, ADMIN_MESSAGES.loadInternalState);
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
