import type { ReactNode } from 'react';
import type { LedgerRow, Opening } from '#subjects/calls/rules/ledger/line.ts';
import { lineWords } from '#subjects/calls/rules/ledger/words.ts';
import { UNTIL_DECIDED } from '#subjects/calls/rules/resultText.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { callPath } from '../addresses.ts';

const OPENED: Readonly<Record<Opening['of'], string>> = {
  name: 'Submitter',
  rationale: 'Rationale',
  reason: 'Reason',
};

/** The opened row of a line: its words, what is still told beside it, and the text that was hashed. */
export function LineDetail({ row, number }: { row: LedgerRow; number: number }): ReactNode {
  const { title, text, call } = lineWords(row, number);
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
          <Disclosure label="Show the line as it was hashed">
            <HashedLine row={row} />
          </Disclosure>
        </>
      ) : (
        <HashedLine row={row} />
      )}
    </div>
  );
}

const HashedLine = ({ row }: { row: LedgerRow }): ReactNode => (
  <>
    <p className="muted">
      The line, exactly as it was hashed{row.marketTimes && ', with the times of the server’s clock'}:
    </p>
    <pre className="on-raised pad-2-3 rounded">{row.line}</pre>
    <p className="muted">
      Its hash: <code>{row.hash}</code>
    </p>
  </>
);
