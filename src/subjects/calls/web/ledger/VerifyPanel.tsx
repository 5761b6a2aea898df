import { type ReactNode, useEffect, useRef } from 'react';
import { formatNumber } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import type { CheckedChain } from '#subjects/calls/rules/ledger/chain.ts';
import type { Fault } from '#subjects/calls/rules/ledger/check.ts';
import { faultText } from '#subjects/calls/rules/ledger/faultText.ts';
import type { Head } from '#subjects/calls/rules/ledger/line.ts';
import { CallsPanel } from '../parts/CallsPanel.tsx';
import { CopyHead } from '../parts/LedgerNote.tsx';
import { LineDetail } from './LineDetail.tsx';
import type { Progress, Verification } from './verify/verification.ts';

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
export function VerifyPanel({ verification, head, again }: VerifyPanelProps): ReactNode {
  const progress = useVerification(verification, head.number <= MAX_UNASKED);
  const { isRunning, isDone, error, checked } = progress;
  const { chain } = verification;
  return (
    <CallsPanel title="Verify" className="ledger-verify">
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
  <div className="ledger-progress">
    <progress value={checked} max={Math.max(1, total)} aria-label="Lines checked" />
    <p className="muted">
      Checked {count(checked)} of {count(total)} lines…
    </p>
  </div>
);

/** 'All 1,234 lines fit together.' with the head; or that it breaks, and where. */
function Outcome({ chain }: { chain: CheckedChain }): ReactNode {
  if (chain.fault !== null) return <p className="ledger-broken">{faultText(chain.fault)}</p>;
  const { head, checked, opened } = chain;
  return (
    <>
      <p className="ledger-well">
        {checked === 1 ? 'The one line fits' : `All ${count(checked)} lines fit together`}
        {opened > 0 &&
          `, and ${opened === 1 ? 'the one name or text' : `all ${count(opened)} names and texts`} told beside them`}
        .
      </p>
      {head !== null && (
        <p className="ledger-head">
          Head: line {count(head.number)}, hash <code>{head.hash}</code> <CopyHead head={head} />
        </p>
      )}
    </>
  );
}

/** The first line that does not fit: what had to be there, and what is. */
const FaultDetail = ({ fault }: { fault: Fault }): ReactNode => (
  <div className="ledger-fault">
    <dl>
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
