import { type ReactNode, useCallback, useState } from 'react';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { CALLS_PATH } from '#web/router/routes.ts';
import { useScreenTitle } from '#web/router/screenTitle.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Page } from '#ui/Page.tsx';
import type { Head } from '#subjects/calls/rules/ledger/line.ts';
import { LEDGER_PATH } from '../addresses.ts';
import { FetchedBody, useFetched } from '../parts/FetchedBody.tsx';
import { CopyLink, PageHead } from '../parts/PageHead.tsx';
import { fetchHead, FILE_ADDRESS } from './api.ts';
import { LinesTable } from './LinesTable.tsx';
import { NotedHead } from './NotedHead.tsx';
import { Verification } from './verify/verification.ts';
import { VerifyPanel } from './VerifyPanel.tsx';
import './LedgerPage.css';

const FAILED = 'The ledger could not be loaded. Try again.';

/** Everything that happened to calls, line by line, and whether anything of it was changed since; for everybody. */
export function LedgerPage(): ReactNode {
  const { state, retry } = useFetched(fetchHead, FAILED);
  useScreenTitle('Ledger of calls');
  return (
    <Page>
      <PageHead title="Ledger of calls" back={{ to: CALLS_PATH, label: 'All calls' }} notes={<ZoneNote />}>
        <CopyLink path={LEDGER_PATH} />
      </PageHead>
      <p className="ledger-intro">
        Everything that happens to a call is a line, and each line carries the hash of the line before. Nobody
        can change or remove a line without changing every hash after it. Note the number and hash of the last
        line: with them you can tell later whether anything up to there was changed. It does not prove that
        the prices were right.
      </p>
      <FetchedBody state={state} retry={retry}>
        {({ head }) =>
          head === null ? (
            <EmptyState>The ledger is empty: nothing has been posted yet.</EmptyState>
          ) : (
            <LedgerBody head={head} again={retry} />
          )
        }
      </FetchedBody>
    </Page>
  );
}

function LedgerBody({ head, again }: { head: Head; again(): void }): ReactNode {
  const [verification, setVerification] = useState(() => new Verification());
  const verifyAgain = useCallback(() => {
    setVerification(new Verification());
    again();
  }, [again]);
  return (
    <>
      <VerifyPanel verification={verification} head={head} again={verifyAgain} />
      <NotedHead verification={verification} />
      <LinesTable head={head} />
      <p className="muted">
        <a href={FILE_ADDRESS} download>
          Download the whole ledger
        </a>{' '}
        to check it without this site: a program of fifty lines for that stands in docs/ledger.md of
        Bellbird’s source.
      </p>
    </>
  );
}
