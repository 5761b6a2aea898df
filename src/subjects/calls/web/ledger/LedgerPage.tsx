import { type ReactNode, useCallback, useState, type FormEvent, useEffect, useRef } from 'react';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { CALLS_PATH } from '#web/router/routes.ts';
import { useScreenTitle } from '#web/router/navigate.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Page } from '#ui/Page.tsx';
import { type LatestEntry, type LedgerRow, type RevealedText, MAX_PAGE } from '../../rules/ledger/entry.ts';
import {
  LEDGER_PATH,
  callPath,
  FetchedBody,
  useFetched,
  CopyLink,
  PageHead,
  CallsPanel,
  CopyLatest,
  CallsPanelHead,
} from '../parts/pageParts.tsx';
import {
  fetchLatest,
  FILE_ADDRESS,
  Verification,
  type Progress,
  fetchEntries,
} from './verify/verification.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import type { Refusal } from '#lib/result.ts';
import {
  compareNoted,
  readNoted,
  splitNoted,
  entryWords,
  type EntryWords,
} from '../../rules/ledger/words.ts';
import { formatNumber, DASH, formatMoment } from '#texts/format.ts';
import { type CheckedChain, type Fault, faultText } from '../../rules/ledger/check.ts';
import { UNTIL_DECIDED } from '../../rules/resultText.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { RowDetail, SortState, TableColumn } from '#ui/table/tableModel.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';

const OPENED: Readonly<Record<RevealedText['of'], string>> = {
  name: 'Submitter',
  rationale: 'Rationale',
  reason: 'Reason',
};

function EntryDetail({ row, number }: { row: LedgerRow; number: number }): ReactNode {
  const { title, text, call } = entryWords(row, number);
  return (
    <div className="calls-row-detail stack gap-2 table-text break-words pad-2-3">
      <p>
        {title}: {text}.
      </p>
      {row.openings.map(({ of, text: told }) => (
        <p key={of}>
          {OPENED[of]}: {told}
        </p>
      ))}
      {call !== null && (
        <p>
          <a href={`#${callPath(call)}`}>Open this call as a page</a>
        </p>
      )}
      {row.isInReview === true ? (
        <>
          <p>In review. {UNTIL_DECIDED}</p>
          <Disclosure label="Show the hashed text">
            <HashedEntry row={row} />
          </Disclosure>
        </>
      ) : (
        <HashedEntry row={row} />
      )}
    </div>
  );
}

const HashedEntry = ({ row }: { row: LedgerRow }): ReactNode => (
  <>
    <p className="muted">
      The text that was hashed{row.marketTimes && ', with times from the server’s clock'}:
    </p>
    <pre className="on-raised pad-2-3 rounded">{row.line}</pre>
    <p className="muted">
      Hash: <code>{row.hash}</code>
    </p>
  </>
);

type EntryRow = EntryWords & { row: LedgerRow };

const LINES_FAILED = 'The entries could not be loaded. Try again.';
const TITLE = 'Newest entries';
/** Entries shown at first, and added with each press of *Show more*. */
const CHUNK = 100;

const COLUMNS: readonly TableColumn<EntryRow>[] = [
  {
    id: 'number',
    label: 'Entry',
    numeric: true,
    width: 72,
    maxWidth: 100,
    pinned: true,
    isRowHeader: true,
    read: ({ number }) => number,
    text: ({ number }) => number.toLocaleString('en-AU'),
  },
  {
    id: 'time',
    label: 'Time',
    numeric: true,
    width: 112,
    maxWidth: 150,
    title: 'When the entry was written, by the clock of the call’s market.',
    isTime: true,
    read: ({ time }) => time,
    text: ({ time }) => formatMoment(time),
  },
  {
    id: 'deed',
    label: 'Event',
    numeric: false,
    width: 96,
    maxWidth: 140,
    read: ({ title }) => title,
    text: ({ title }) => title,
  },
  {
    id: 'text',
    label: 'Description',
    numeric: false,
    width: 300,
    maxWidth: 900,
    isLong: true,
    read: ({ text }) => text,
    text: ({ text }) => text,
  },
];

/** On a phone, the event comes before the time. */
const PHONE_ORDER = ['number', 'deed', 'text', 'time'];
const PHONE_COLUMNS = COLUMNS.toSorted((a, b) => PHONE_ORDER.indexOf(a.id) - PHONE_ORDER.indexOf(b.id));

const DETAIL: RowDetail<EntryRow> = {
  heading: 'Details',
  opensByClick: true,
  label: ({ number }) => `Details of entry ${number}`,
  render: ({ row, number }) => <EntryDetail row={row} number={number} />,
};

const idOf = ({ number }: EntryRow): string => String(number);

/** Loads entries of the ledger. @param count maximum @param head hash of the latest entry; a new one loads again */
const useEntries = (after: number, count: number, head: string) =>
  useLoaded(
    useCallback(async () => {
      const { lines } = await fetchEntries(after, Math.min(count, MAX_SHOWN));
      return lines.map((row, index): EntryRow => ({ ...entryWords(row, after + index + 1), row }));
    }, [after, count]),
    LINES_FAILED,
    { again: head },
  );

function EntriesTable({ head }: { head: LatestEntry }): ReactNode {
  const [shown, setShown] = useState(CHUNK);
  const after = Math.max(0, head.number - shown);
  const { data, error, isLoading, reload } = useEntries(after, shown, head.hash);
  const [sort, setSort] = useState<SortState>({ id: 'number', desc: true });
  const isPhone = useWidthQuery('phone');
  const hasMore = after > 0 && shown < MAX_SHOWN;
  return (
    <CallsPanel title={TITLE} className="ledger-lines" hasOwnHead>
      {error !== null && (
        <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>{error}</Banner>
      )}
      <DataTable
        label={TITLE}
        columns={isPhone ? PHONE_COLUMNS : COLUMNS}
        rows={data ?? NO_ROWS}
        rowId={idOf}
        sort={sort}
        onSort={setSort}
        detail={DETAIL}
        resetKey={String(shown)}
        loading={data === null && error === null}
        empty={<p className="muted">{data === null ? LINES_FAILED : DASH}</p>}
        isPrimary
        heading={({ newestRows, pausedChip }) => (
          <CallsPanelHead title={TITLE}>
            <ExportButton label={TITLE} columns={COLUMNS} rows={newestRows} />
            {pausedChip}
          </CallsPanelHead>
        )}
      />
      {hasMore && <MoreLines isLoading={isLoading} onMore={() => setShown(shown + CHUNK)} />}
    </CallsPanel>
  );
}

const MoreLines = ({ isLoading, onMore }: { isLoading: boolean; onMore(): void }): ReactNode => (
  <div>
    <Button aria-disabled={isLoading || undefined} onClick={() => isLoading || onMore()}>
      {isLoading ? 'Loading…' : 'Show older entries'}
    </Button>
  </div>
);

const NO_ROWS: readonly EntryRow[] = [];
/** Above this number, users download the file. */
const MAX_SHOWN = MAX_PAGE;

type VerifyPanelProps = { verification: Verification; head: LatestEntry; again(): void };

/** A longer ledger has several megabytes, so it is verified only on request. */
const MAX_UNASKED = 10_000;

const count = (number: number): string => formatNumber(number, 0);

/** Verifies automatically if the ledger is short or replaces another one. Stops when the user leaves the page. */
function useVerification(verification: Verification, isShort: boolean): Progress {
  const asked = useRef<Verification | null>(null);
  useEffect(() => {
    if (isShort || asked.current !== null) void verification.run();
    asked.current = verification;
    return () => verification.stop();
  }, [verification, isShort]);
  return verification.progress.value;
}

function VerifyPanel({ verification, head, again }: VerifyPanelProps): ReactNode {
  const progress = useVerification(verification, head.number <= MAX_UNASKED);
  const { isRunning, isDone, error, checked } = progress;
  const { chain } = verification;
  return (
    <CallsPanel title="Verify" className="break-words">
      {error !== null && (
        <Banner action={<Button onClick={() => void verification.run()}>Retry</Button>}>
          {error}
          {checked > 0 && ` ${count(checked)} entries were verified.`}
        </Banner>
      )}
      <div className="ledger-result">
        {isRunning && <Running {...progress} />}
        <div role="status">{isDone && <Outcome chain={chain} />}</div>
      </div>
      {isDone && chain.fault !== null && <FaultDetail fault={chain.fault} />}
      {error === null && (
        <div>
          <VerifyButton
            progress={progress}
            head={head}
            onPress={() => (isDone ? again() : void verification.run())}
          />
        </div>
      )}
    </CallsPanel>
  );
}

type VerifyButtonProps = { progress: Progress; head: LatestEntry; onPress(): void };

/** One button in all states, so that it keeps the focus. */
function VerifyButton({ progress: { isRunning, isDone }, head, onPress }: VerifyButtonProps): ReactNode {
  return (
    <Button
      variant={isRunning || isDone ? 'plain' : 'primary'}
      aria-disabled={isRunning || undefined}
      onClick={() => void (isRunning || onPress())}
    >
      {isRunning ? 'Verifying…' : isDone ? 'Verify again' : `Verify ${count(head.number)} entries`}
    </Button>
  );
}

const Running = ({ checked, total }: Progress): ReactNode => (
  <div className="row gap-2-3">
    <progress value={checked} max={Math.max(1, total)} aria-label="Entries checked" />
    <p className="muted">
      Checked {count(checked)} of {count(total)} entries…
    </p>
  </div>
);

/** '1,234 entries verified: the chain is intact.' with the latest entry, or where the chain breaks. */
function Outcome({ chain }: { chain: CheckedChain }): ReactNode {
  if (chain.fault !== null) return <p className="down">{faultText(chain.fault)}</p>;
  const { head, checked, opened } = chain;
  return (
    <>
      <p className="up">
        {checked === 1 ? '1 entry' : `${count(checked)} entries`}{' '}
        {opened > 0 && ` and ${opened === 1 ? '1 name or text' : `${count(opened)} names and texts`}`}{' '}
        verified: the chain is intact.
      </p>
      {head !== null && (
        <p className="row">
          Latest: entry {count(head.number)}, hash <code>{head.hash}</code> <CopyLatest head={head} />
        </p>
      )}
    </>
  );
}

/** The first invalid entry, with the expected and the found value. */
const FaultDetail = ({ fault }: { fault: Fault }): ReactNode => (
  <div className="marked tone-down stack">
    <dl className="facts">
      <dt>Expected</dt>
      <dd>
        <code>{fault.expected}</code>
      </dd>
      <dt>Found</dt>
      <dd>
        <code>{fault.found}</code>
      </dd>
    </dl>
    <EntryDetail row={fault.row} number={fault.number} />
  </div>
);

const NOTHING = { number: '', hash: '' };

type TypedEntry = typeof NOTHING;

/** The saved entry that the user compares; typing clears the result. */
function useNoted(verification: Verification) {
  const [typed, setTyped] = useState(NOTHING);
  const [noted, setNoted] = useState<LatestEntry | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const type = (change: Partial<TypedEntry>): void => {
    setTyped((before) => splitNoted({ ...before, ...change }));
    setNoted(null);
    setRefusal(null);
  };
  const compare = (event: FormEvent): void => {
    event.preventDefault();
    const read = readNoted(typed);
    setNoted(read.ok ? read.value : null);
    setRefusal(read.ok ? null : read.error);
    if (read.ok) void verification.run();
  };
  const errorOf = (field: keyof TypedEntry): string | null =>
    refusal?.field === field ? refusal.message : null;
  return { typed, noted, type, compare, errorOf };
}

function SavedEntry({ verification }: { verification: Verification }): ReactNode {
  const { typed, noted, type, compare, errorOf } = useNoted(verification);
  return (
    <CallsPanel title="Check against a saved hash" className="break-words">
      <form className="form-row ledger-noted" noValidate onSubmit={compare}>
        <TextField
          label="Entry"
          inputMode="numeric"
          autoComplete="off"
          value={typed.number}
          error={errorOf('number')}
          onChange={(event) => type({ number: event.target.value })}
        />
        <TextField
          label="Hash"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          value={typed.hash}
          error={errorOf('hash')}
          onChange={(event) => type({ hash: event.target.value })}
        />
        <Button type="submit">Compare</Button>
      </form>
      <div role="status">{noted !== null && <Compared noted={noted} verification={verification} />}</div>
    </CallsPanel>
  );
}

function Compared({ noted, verification }: { noted: LatestEntry; verification: Verification }): ReactNode {
  const { isDone, error } = verification.progress.value;
  if (!isDone) return <p className="muted">{error === null ? 'Verifying entries…' : error}</p>;
  const { chain } = verification;
  const { isWell, text } = compareNoted(noted, {
    checked: chain.checked,
    isWhole: chain.fault === null,
    hashOf: (number) => chain.hashOf(number),
  });
  return isWell ? <p className="up">{text}</p> : <Banner variant="warn">{text}</Banner>;
}

export function LedgerPage(): ReactNode {
  const { state, retry } = useFetched(fetchLatest, 'The ledger could not be loaded. Try again.');
  useScreenTitle('Ledger of calls');
  return (
    <Page>
      <PageHead title="Ledger of calls" back={{ to: CALLS_PATH, label: 'All calls' }} notes={<ZoneNote />}>
        <CopyLink path={LEDGER_PATH} />
      </PageHead>
      <p className="prose">
        Every event in a call’s life is an entry that contains the hash of the previous entry. Save the latest
        number and hash: with them you can check later that no earlier entry was changed. The ledger does not
        prove that prices were correct.
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

function LedgerBody({ head, again }: { head: LatestEntry; again(): void }): ReactNode {
  const [verification, setVerification] = useState(() => new Verification());
  const verifyAgain = useCallback(() => {
    setVerification(new Verification());
    again();
  }, [again]);
  return (
    <>
      <VerifyPanel verification={verification} head={head} again={verifyAgain} />
      <SavedEntry verification={verification} />
      <EntriesTable head={head} />
      <p className="muted">
        <a href={FILE_ADDRESS} download>
          Download the whole ledger
        </a>{' '}
        to verify it without this site. A 50-line script for that is in docs/ledger.md of Bellbird’s source.
      </p>
    </>
  );
}
