import { type ReactNode, useCallback } from 'react';
import { CALLS_PATH } from '#web/router/routes.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { useScreenTitle } from '#web/router/navigate.ts';
import { Page } from '#ui/Page.tsx';
import { recordPath } from '../addresses.ts';
import { CountingRules } from '../parts/CountingRules.tsx';
import { CopyLink, PageHead } from '../parts/PageHead.tsx';
import { FetchedBody, useFetched } from '../parts/FetchedBody.tsx';
import { fetchRecord } from './api.ts';
import { SourceSection } from './SourceSection.tsx';

const FAILED = 'The record could not be loaded. Try again.';

/** What a submitter's calls made of the recorded prices, for everybody; sources apart. */
export function RecordPage({ name }: { name: string }): ReactNode {
  const { state, retry } = useFetched(
    useCallback(() => fetchRecord(name), [name]),
    FAILED,
  );
  const known = state.kind === 'known' ? state.data : null;
  const display = known?.submitter.display ?? null;
  useScreenTitle(display && `Record of ${display}`);
  return (
    <Page>
      <PageHead
        title={display ? `Record of ${display}` : 'Record'}
        back={{ to: CALLS_PATH, label: 'All calls' }}
        notes={<ZoneNote />}
      >
        {display && <CopyLink path={recordPath(display)} />}
      </PageHead>
      <FetchedBody state={state} retry={retry}>
        {({ records, source }) => (
          <>
            <CountingRules />
            {records.map((record) => (
              <SourceSection key={record.source} record={record} isRunning={record.source === source} />
            ))}
            <p className="muted">
              Past results promise nothing. General information only, not financial advice.
            </p>
          </>
        )}
      </FetchedBody>
    </Page>
  );
}
