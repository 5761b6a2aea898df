import { type ReactNode, useCallback, useState, type FormEvent, useEffect, useRef } from 'react';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { CALLS_PATH } from '#web/router/routes.ts';
import { useScreenTitle } from '#web/router/navigate.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Page } from '#ui/Page.tsx';
import type { Head } from '#subjects/calls/rules/ledger/line.ts';
import { LEDGER_PATH } from '../addresses.ts';
import { FetchedBody, useFetched } from '../parts/FetchedBody.tsx';
import { CopyLink, PageHead } from '../parts/PageHead.tsx';
import { fetchHead, FILE_ADDRESS } from './api.ts';
import { LinesTable } from './LinesTable.tsx';
import { Verification, type Progress } from './verify/verification.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import type { Refusal } from '#lib/result.ts';
import { compareNoted, readNoted, splitNoted } from '#subjects/calls/rules/ledger/words.ts';
import { CallsPanel } from '../parts/CallsPanel.tsx';
import { formatNumber } from '#texts/format.ts';
import { type CheckedChain, type Fault, faultText } from '#subjects/calls/rules/ledger/check.ts';
import { CopyHead } from '../parts/LedgerNote.tsx';
import { LineDetail } from './LineDetail.tsx';

type VerifyPanelProps = { verification: Verification; head: Head; again(): void };

/** A longer ledger is some megabytes: it waits to be asked for. */
const MAX_UNASKED = 10_000;

const count = (number: number): string => formatNumber(number, 0);

/** Begins with a short ledger by itself, and with one that takes the place of another; ends when the page is left. */
function useVerification(verification: Verification, isShort: boolean): Progress {
  const asked = useRef<Verification | null>(null);
  useEffect(() => {
    if (isShort || asked.current !== null) void verification.run();
    asked.current = verification;
    return () => verification.stop();
  }, [verification, isShort]);
  return verification.progress.value;
}

/** Checks the chain in this browser, and says in one sentence what came of it. */
function VerifyPanel({ verification, head, again }: VerifyPanelProps): ReactNode {
  const progress = useVerification(verification, head.number <= MAX_UNASKED);
  const { isRunning, isDone, error, checked } = progress;
  const { chain } = verification;
  return (
    <CallsPanel title="Verify" className="break-words">
      {error !== null && (
        <Banner action={<Button onClick={() => void verification.run()}>Retry</Button>}>
          {error}
          {checked > 0 && ` ${count(checked)} lines were checked and fit.`}
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

type VerifyButtonProps = { progress: Progress; head: Head; onPress(): void };

/** One button throughout, so that who presses it keeps the focus. */
function VerifyButton({ progress: { isRunning, isDone }, head, onPress }: VerifyButtonProps): ReactNode {
  return (
    <Button
      variant={isRunning || isDone ? 'plain' : 'primary'}
      aria-disabled={isRunning || undefined}
      onClick={() => void (isRunning || onPress())}
    >
      {isRunning ? 'Verifying…' : isDone ? 'Verify again' : `Verify ${count(head.number)} lines`}
    </Button>
  );
}

const Running = ({ checked, total }: Progress): ReactNode => (
  <div className="row gap-2-3">
    <progress value={checked} max={Math.max(1, total)} aria-label="Lines checked" />
    <p className="muted">
      Checked {count(checked)} of {count(total)} lines…
    </p>
  </div>
);

/** 'All 1,234 lines fit together.' with the head; or that it breaks, and where. */
function Outcome({ chain }: { chain: CheckedChain }): ReactNode {
  if (chain.fault !== null) return <p className="down">{faultText(chain.fault)}</p>;
  const { head, checked, opened } = chain;
  return (
    <>
      <p className="up">
        {checked === 1 ? 'The one line fits' : `All ${count(checked)} lines fit together`}
        {opened > 0 &&
          `, and ${opened === 1 ? 'the one name or text' : `all ${count(opened)} names and texts`} told beside them`}
        .
      </p>
      {head !== null && (
        <p className="row">
          Head: line {count(head.number)}, hash <code>{head.hash}</code> <CopyHead head={head} />
        </p>
      )}
    </>
  );
}

/** The first line that does not fit: what had to be there, and what is. */
const FaultDetail = ({ fault }: { fault: Fault }): ReactNode => (
  <div className="marked tone-down stack">
    <dl className="facts">
      <dt>Expected</dt>
      <dd>
        <code>{fault.expected}</code>
      </dd>
      <dt>There is</dt>
      <dd>
        <code>{fault.found}</code>
      </dd>
    </dl>
    <LineDetail row={fault.row} number={fault.number} />
  </div>
);

const NOTHING = { number: '', hash: '' };

type TypedHead = typeof NOTHING;

/** What is typed, and the head that is compared; what is typed on ends that. */
function useNoted(verification: Verification) {
  const [typed, setTyped] = useState(NOTHING);
  const [noted, setNoted] = useState<Head | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const type = (change: Partial<TypedHead>): void => {
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
  const errorOf = (field: keyof TypedHead): string | null =>
    refusal?.field === field ? refusal.message : null;
  return { typed, noted, type, compare, errorOf };
}

/** A head that somebody noted, held against the chain of today. */
function NotedHead({ verification }: { verification: Verification }): ReactNode {
  const { typed, noted, type, compare, errorOf } = useNoted(verification);
  return (
    <CallsPanel title="A head that you noted" className="break-words">
      <form className="form-row ledger-noted" noValidate onSubmit={compare}>
        <TextField
          label="Line"
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

function Compared({ noted, verification }: { noted: Head; verification: Verification }): ReactNode {
  const { isDone, error } = verification.progress.value;
  if (!isDone) return <p className="muted">{error === null ? 'Going through the chain…' : error}</p>;
  const { chain } = verification;
  const { isWell, text } = compareNoted(noted, {
    checked: chain.checked,
    isWhole: chain.fault === null,
    hashOf: (number) => chain.hashOf(number),
  });
  return isWell ? <p className="up">{text}</p> : <Banner variant="warn">{text}</Banner>;
}

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
      <p className="prose">
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
