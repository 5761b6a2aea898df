import RefreshIcon from 'lucide-react/icons/refresh-cw';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { formatClock } from '#texts/format.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { useActions } from '#web/shared/actions.ts';
import { useWatch } from '#web/live/useWatch.ts';
import { ownCallTurns } from './shared/ownCallTurns.ts';
import { forgetCall, requestedCall } from './shared/requestedCall.ts';
import { keptInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import './CallsPage.css';
import { readDraft } from './draft.ts';
import { CorrectionList } from './parts/CorrectionList.tsx';
import { CountingRules } from './parts/CountingRules.tsx';
import { LedgerNote } from './parts/LedgerNote.tsx';
import { OtherRanks, SubmitterTable } from './parts/OtherRanks.tsx';
import { RecentTable } from './parts/RecentTable.tsx';
import { VisitorIntro } from './parts/VisitorIntro.tsx';
import type { Submitter } from './api.ts';
import {
  board,
  boardSymbols,
  correct,
  correcting,
  loadBoard,
  loadMyCalls,
  refreshBoard,
  reloadAll,
  resetMyCalls,
} from './state.ts';

const SubmitCallDialog = lazy(async () => ({
  default: (await import('./parts/SubmitCallDialog.tsx')).SubmitCallDialog,
}));
const MyCallsDialog = lazy(async () => ({
  default: (await import('./parts/MyCallsDialog.tsx')).MyCallsDialog,
}));

const CorrectDialog = lazy(async () => ({
  default: (await import('./parts/CorrectDialog.tsx')).CorrectDialog,
}));

const NO_SUBMITTERS: readonly Submitter[] = [];

type Dialog = 'submit' | 'mine' | null;

/** Which dialog is open: one that was asked for here, or on another screen for a symbol. */
function useDialog() {
  const { isAuthenticated } = session.value;
  const request = requestedCall.value;
  const [dialog, setDialog] = useState<Dialog>(() => (keptInput('call') || readDraft() ? 'submit' : null));
  // A request that nobody may fulfil any more must not open a form at the next login.
  useEffect(() => forgetCall, []);
  const shown = request !== null && isAuthenticated ? 'submit' : dialog;
  const close = () => {
    forgetCall();
    setDialog(null);
  };
  const openMyCalls = () => {
    setDialog('mine');
    void loadMyCalls();
  };
  return { shown, symbol: request?.symbol ?? null, close, openMyCalls, openForm: () => setDialog('submit') };
}

/** Everybody's calls and how they turned out; for a signed-in user also the own ones. Public. */
export function CallsPage() {
  const { isAuthenticated, accessToken } = session.value;
  const addButton = useRef<HTMLButtonElement>(null);
  const dialog = useDialog();
  useEffect(() => {
    void loadBoard();
    return () => {
      resetMyCalls();
      correct(null);
    };
  }, [accessToken]);
  useWatch({ codes: boardSymbols.value });
  useOwnTurns(dialog.shown === 'mine');
  const manage = { label: 'Manage My Calls', words: 'close cancel', run: dialog.openMyCalls };
  useActions([
    { label: 'Refresh calls', words: 'load leaderboard', run: () => void loadBoard() },
    ...(isAuthenticated ? [manage] : []),
  ]);

  return (
    <div className="calls-page">
      <PageHead
        addButton={addButton}
        isSignedIn={isAuthenticated}
        onAdd={dialog.openForm}
        onManage={dialog.openMyCalls}
      />
      <Failure />
      <Board />
      {correcting.value !== null && (
        <Suspense fallback={null}>
          <CorrectDialog key={correcting.value.publicId} call={correcting.value} />
        </Suspense>
      )}
      {isAuthenticated && <OwnDialogs {...dialog} addButton={addButton} />}
    </div>
  );
}

/** The ranks and the recent calls, with the rules that they follow. */
function Board() {
  const { data } = board.value;
  return (
    <Suspense fallback={null}>
      <VisitorIntro />
      <CountingRules />
      <SubmitterTable
        title="Submitter Overview"
        source={data?.source ?? null}
        rows={data?.leaderboard ?? NO_SUBMITTERS}
      />
      <OtherRanks />
      <RecentTable />
      <CorrectionList />
      {data?.ledger && <LedgerNote head={data.ledger} />}
      <p className="calls-notice">General information only, not financial advice</p>
    </Suspense>
  );
}

type OwnDialogsProps = {
  shown: Dialog;
  symbol: string | null;
  addButton: RefObject<HTMLButtonElement | null>;
  close(): void;
};

const OwnDialogs = ({ shown, symbol, addButton, close }: OwnDialogsProps) => (
  <Suspense fallback={null}>
    {shown === 'submit' && (
      <SubmitCallDialog
        symbol={symbol}
        opener={addButton}
        onClose={close}
        onSubmitted={() => void reloadAll(false)}
      />
    )}
    {shown === 'mine' && <MyCallsDialog onClose={close} />}
  </Suspense>
);

/** Loads again what own calls have changed that were made, closed or cancelled in another window. */
function useOwnTurns(isMyCallsOpen: boolean): void {
  const turns = ownCallTurns.value;
  const loaded = useRef(turns);
  useEffect(() => {
    if (loaded.current === turns) return;
    loaded.current = turns;
    void reloadAll(isMyCallsOpen);
  }, [turns, isMyCallsOpen]);
}

type PageHeadProps = {
  addButton: RefObject<HTMLButtonElement | null>;
  isSignedIn: boolean;
  onAdd(): void;
  onManage(): void;
};

function PageHead({ addButton, isSignedIn, onAdd, onManage }: PageHeadProps) {
  const { data, isLoading } = board.value;
  return (
    <header className="calls-head">
      <h1>Calls</h1>
      <p className="calls-updated" role="status">
        {isLoading ? 'Loading…' : data && `Updated ${formatClock(data.fetchedAt)}`}
      </p>
      <ZoneNote />
      <div className="calls-actions">
        <Button disabled={isLoading} onClick={() => void refreshBoard()}>
          <RefreshIcon size={14} aria-hidden />
          Refresh
        </Button>
        {isSignedIn && (
          <>
            <Button onClick={onManage}>Manage My Calls</Button>
            <Button ref={addButton} variant="primary" onClick={onAdd}>
              Add Call
            </Button>
          </>
        )}
      </div>
    </header>
  );
}

/** Why the board could not be loaded, of when the lists below are, and a Retry. */
function Failure() {
  const { data, error, isLoading } = board.value;
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
      {data && <span> · Showing the list from {formatClock(data.fetchedAt)}</span>}
    </Banner>
  );
}
