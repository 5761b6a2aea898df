import RefreshIcon from 'lucide-react/icons/refresh-cw';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { formatClock, formatMoment } from '#texts/format.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { useActions } from '#web/shared/actions.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { ownCallTurns, forgetCall, requestedCall } from './shared/callSignals.ts';
import { keptInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import './calls.css';
import {
  readDraft,
  board,
  boardSymbols,
  closing,
  correct,
  correcting,
  loadBoard,
  loadMyCalls,
  refreshBoard,
  reloadAll,
  resetMyCalls,
  NOT_LOADED,
  type RecentRow,
  recentRows,
  type Submitter,
} from './state.ts';
import {
  CountingRules,
  LedgerNote,
  CallsPanel,
  CallsPanelHead,
  NoSuchPage,
  RANKS_PATH,
} from './parts/pageParts.tsx';
import { OtherRanks, SubmitterTable } from './parts/OtherRanks.tsx';
import { REGISTER_PATH, CALLS_PATH } from '#web/router/routes.ts';
import { sourceLabel } from '../rules/callFormat.ts';
import { formatChange } from '../rules/resultText.ts';
import { ABOUT, appInfo } from '#web/shared/appInfo.ts';
import { DataTable } from '#ui/table/DataTable.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import type { RowDetail, SortState } from '#ui/table/tableModel.ts';
import { RECENT_COLUMNS, RECENT_EXPORT } from './parts/recentColumns.tsx';
import { useOpenRows } from '#ui/table/useOpenRows.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';
import { late, withStyles } from '#web/shared/lateStyles.ts';
import { currentHash, pageOf } from '#web/router/navigate.ts';
import { LoadingOverlay } from '#ui/LoadingOverlay.tsx';

const RecentDetail = late(() => import('./parts/RecentDetail.tsx').then((code) => code.RecentDetail));

const DETAIL: RowDetail<RecentRow> = {
  heading: 'Details',
  label: ({ call }) => `Details of ${call.symbol} by ${call.submittedBy.display}`,
  render: (row) => <RecentDetail row={row} />,
};

const TITLE = 'Recent Calls';

const idOf = (row: RecentRow): string => row.call.publicId;

function RecentTable() {
  const { data, isLoading, error } = board.value;
  const [sort, setSort] = useState<SortState>({ id: 'submitted', desc: true });
  const openRows = useOpenRows(undefined);
  const { open, toggle } = openRows;
  const asked = closing.value;
  useEffect(() => {
    if (asked !== null && !open.has(asked)) toggle(asked);
  }, [asked, open, toggle]);
  return (
    <CallsPanel title={TITLE} className="recent-table" hasOwnHead>
      <DataTable
        label={TITLE}
        columns={RECENT_COLUMNS}
        rows={recentRows.value}
        rowId={idOf}
        sort={sort}
        onSort={setSort}
        detail={DETAIL}
        openRows={openRows}
        resetKey={String(data?.fetchedAt ?? 0)}
        loading={data === null && (isLoading || error === null)}
        empty={<EmptyState>{data === null ? NOT_LOADED : 'No calls recorded.'}</EmptyState>}
        isPrimary
        heading={({ newestRows, pausedChip }) => (
          <CallsPanelHead title={TITLE}>
            {pausedChip}
            <ExportButton label={TITLE} columns={RECENT_EXPORT} rows={newestRows} />
          </CallsPanelHead>
        )}
      />
    </CallsPanel>
  );
}

const MAX_SHOWN = 20;

function CorrectionList() {
  const calls = board.value.data?.calls ?? [];
  const corrections = calls
    .flatMap((call) => call.corrections.map((correction, index) => ({ call, correction, index })))
    .sort((a, b) => Date.parse(b.correction.at) - Date.parse(a.correction.at))
    .slice(0, MAX_SHOWN);
  if (corrections.length === 0) return null;
  return (
    <Disclosure label={`Corrections (${corrections.length})`}>
      <ul className="box lines table-text break-words">
        {corrections.map(({ call, correction, index }) => (
          <li key={`${call.publicId} ${index}`}>
            <p>
              <strong>{call.symbol}</strong> of {call.submittedBy.display}: {correction.reason}
            </p>
            <p>{correction.changes.map(formatChange).join('; ')}</p>
            <p className="muted small">
              {correction.by.display}, {formatMoment(correction.at)}
            </p>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

const VisitorScanner = late(() =>
  import('#web/shared/VisitorScanner.tsx').then((code) => code.VisitorScanner),
);

/** Introduces the site to visitors in one line, with a live scanner folded below if the operator shows it. */
function VisitorIntro() {
  const [isOpen, setOpen] = useState(false);
  if (session.value.isAuthenticated) return null;
  return (
    <>
      <p className="prose">
        {ABOUT} <a href={`#${REGISTER_PATH}`}>Register</a>
      </p>
      {appInfo.value?.visitorScanner && (
        <Disclosure label="Live scanner" isOpen={isOpen} onToggle={setOpen}>
          {isOpen && <VisitorScanner />}
        </Disclosure>
      )}
    </>
  );
}

const SubmitCallDialog = late(() =>
  import('./parts/SubmitCallDialog.tsx').then((code) => code.SubmitCallDialog),
);
const MyCallsDialog = late(() => import('./parts/MyCallsDialog.tsx').then((code) => code.MyCallsDialog));

const CorrectDialog = late(() => import('./parts/CorrectDialog.tsx').then((code) => code.CorrectDialog));

const NO_SUBMITTERS: readonly Submitter[] = [];

type Dialog = 'submit' | 'mine' | null;

/** The open dialog: opened on this page, or requested for a symbol on another screen. */
function useDialog() {
  const { isAuthenticated } = session.value;
  const request = requestedCall.value;
  const [dialog, setDialog] = useState<Dialog>(() => (keptInput('call') || readDraft() ? 'submit' : null));
  // Forget the request when leaving, so that it does not open the form at the next login.
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
  useOwnTurns();
  const manage = { label: 'Manage My Calls', words: 'close cancel', run: dialog.openMyCalls };
  useActions([
    { label: 'Refresh calls', words: 'load leaderboard', run: () => void loadBoard() },
    ...(isAuthenticated ? [manage] : []),
  ]);

  return (
    <div className="calls-page stack">
      <PageHead
        addButton={addButton}
        isSignedIn={isAuthenticated}
        onAdd={dialog.openForm}
        onManage={dialog.openMyCalls}
      />
      <Failure />
      <Board />
      {correcting.value !== null && <CorrectDialog key={correcting.value.publicId} call={correcting.value} />}
      {isAuthenticated && <OwnDialogs {...dialog} addButton={addButton} />}
    </div>
  );
}

function Board() {
  const { data } = board.value;
  return (
    <Suspense fallback={null}>
      <VisitorIntro />
      <SubmitterTable title="Submitter Overview" rows={data?.leaderboard ?? NO_SUBMITTERS} />
      <RecentTable />
      <footer className="calls-foot wrap gap-0-3 muted small">
        <CountingRules />
        <a className="touch" href={`#${RANKS_PATH}`}>
          Ranks by quarter
        </a>
        <OtherRanks />
        <CorrectionList />
        <p>General information only, not financial advice</p>
        {data && <p>Source: {sourceLabel(data.source)}</p>}
        {data?.ledger && <LedgerNote head={data.ledger} />}
      </footer>
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
  <>
    {shown === 'submit' && (
      <SubmitCallDialog
        symbol={symbol}
        opener={addButton}
        onClose={close}
        onSubmitted={() => void reloadAll()}
      />
    )}
    {shown === 'mine' && <MyCallsDialog onClose={close} />}
  </>
);

/** Reloads after the user's calls changed in another window. */
function useOwnTurns(): void {
  const turns = ownCallTurns.value;
  const loaded = useRef(turns);
  useEffect(() => {
    if (loaded.current === turns) return;
    loaded.current = turns;
    void reloadAll();
  }, [turns]);
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
    <header className="wrap gap-2-3 align-baseline flex-none">
      <h1>Calls</h1>
      <p className="muted small" role="status">
        {isLoading ? 'Loading…' : data && `Updated ${formatClock(data.fetchedAt)}`}
      </p>
      <ZoneNote />
      <div className="wrap push phone-fill">
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

const CallPage = lazy(async () => ({
  default: (await withStyles(import('./timeline/CallPage.tsx'))).CallPage,
}));
const TrackRecordPage = lazy(async () => ({
  default: (await withStyles(import('./TrackRecordPage.tsx'))).TrackRecordPage,
}));

const LedgerPage = lazy(async () => ({
  default: (await withStyles(import('./ledger/LedgerPage.tsx'))).LedgerPage,
}));

const RanksPage = lazy(async () => ({
  default: (await withStyles(import('./RanksPage.tsx'))).RanksPage,
}));

export function CallsScreen(): ReactNode {
  const [first, second, ...more] = pageOf(currentHash.value, CALLS_PATH);
  if (first === undefined) return <CallsPage />;
  return <Suspense fallback={<LoadingOverlay />}>{pageFor(first, second, more.length)}</Suspense>;
}

function pageFor(first: string, second: string | undefined, more: number): ReactNode {
  if (first === 'by' && second !== undefined && more === 0)
    return <TrackRecordPage key={second} name={second} />;
  if (first === 'ranks' && more === 0) return <RanksPage quarter={second ?? null} />;
  if (first === 'ledger' && second === undefined) return <LedgerPage />;
  if (first !== 'by' && second === undefined) return <CallPage key={first} publicId={first} />;
  return <NoSuchPage isScreen>Not found.</NoSuchPage>;
}
