import RefreshIcon from 'lucide-react/icons/refresh-cw';
import { lazy, Suspense, useEffect, useState } from 'react';
import { formatClock } from '../../../src/domain/calls/callFormat.ts';
import { session } from '../../shared/session/session.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { RecentTable } from './parts/RecentTable.tsx';
import { SubmitterTable } from './parts/SubmitterTable.tsx';
import { board, forgetMine, loadBoard, loadMine, reloadAll } from './state.ts';

const SubmitCallDialog = lazy(async () => ({
  default: (await import('./parts/SubmitCallDialog.tsx')).SubmitCallDialog,
}));
const MyCallsDialog = lazy(async () => ({
  default: (await import('./parts/MyCallsDialog.tsx')).MyCallsDialog,
}));

type OpenDialog = 'submit' | 'mine' | null;

/** Everybody's trade ideas and how they turned out; signed in also one's own. */
export function CallsPage() {
  const { isAuthenticated, accessToken } = session.value;
  const [dialog, setDialog] = useState<OpenDialog>(null);
  // A dialog starts afresh each time it opens, and stays mounted after it so that the focus finds its way back.
  const [turn, setTurn] = useState({ submit: 0, mine: 0 });

  useEffect(() => {
    void loadBoard();
    return forgetMine;
  }, [accessToken]);

  const open = (which: 'submit' | 'mine') => {
    setTurn((before) => ({ ...before, [which]: before[which] + 1 }));
    setDialog(which);
    if (which === 'mine') void loadMine();
  };
  const close = () => setDialog(null);

  return (
    <div className="calls-page">
      <PageHead isSignedIn={isAuthenticated} onAdd={() => open('submit')} onManage={() => open('mine')} />
      <Failure />
      <SubmitterTable />
      <RecentTable />
      <p className="calls-notice">General information only, not financial advice</p>
      {isAuthenticated && (
        <Suspense fallback={null}>
          {turn.submit > 0 && (
            <SubmitCallDialog
              key={`submit-${turn.submit}`}
              open={dialog === 'submit'}
              onClose={close}
              onSubmitted={() => void reloadAll(false)}
            />
          )}
          {turn.mine > 0 && (
            <MyCallsDialog key={`mine-${turn.mine}`} open={dialog === 'mine'} onClose={close} />
          )}
        </Suspense>
      )}
    </div>
  );
}

type PageHeadProps = { isSignedIn: boolean; onAdd(): void; onManage(): void };

function PageHead({ isSignedIn, onAdd, onManage }: PageHeadProps) {
  const { data, isLoading } = board.value;
  return (
    <header className="calls-head">
      <h1>Calls</h1>
      <p className="muted calls-updated" role="status">
        {isLoading ? 'Loading…' : data && `Updated ${formatClock(data.fetchedAt)}`}
      </p>
      <div className="calls-actions">
        <Button disabled={isLoading} onClick={() => void loadBoard()}>
          <RefreshIcon size={14} aria-hidden />
          Refresh
        </Button>
        {isSignedIn && (
          <>
            <Button onClick={onManage}>Manage My Calls</Button>
            <Button look="primary" onClick={onAdd}>
              Add Call
            </Button>
          </>
        )}
      </div>
    </header>
  );
}

function Failure() {
  const { error, isLoading } = board.value;
  if (error === null) return null;
  return (
    <Banner
      action={
        <Button disabled={isLoading} onClick={() => void loadBoard()}>
          Retry
        </Button>
      }
    >
      {error}
    </Banner>
  );
}
