import { type ReactNode, useRef } from 'react';
import CopyIcon from 'lucide-react/icons/copy';
import { type Head, headText, lineNo } from '#subjects/calls/rules/ledger/line.ts';
import { copyText } from '#web/shared/copyText.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { IconButton } from '#ui/Button.tsx';
import { LEDGER_PATH } from '../addresses.ts';

/** Of a hash, so much is enough to tell it from another by eye. */
const SHOWN = 12;

/** Copies a head whole, to be noted. */
export function CopyHead({ head }: { head: Head }): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  const text = headText(head);
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text, place.current);
    showSnackbar(isCopied ? 'Number and hash copied.' : `Copy this: ${text}`);
  };
  return (
    <span ref={place}>
      <IconButton label="Copy number and hash" onClick={() => void copy()}>
        <CopyIcon size={14} aria-hidden />
      </IconButton>
    </span>
  );
}

/** The head of the ledger, by which everybody can tell later whether a line of before was changed. */
export const LedgerNote = ({ head }: { head: Head }): ReactNode => (
  <p className="row gap-1 muted small">
    Ledger: {lineNo(head.number)}, hash <code>{head.hash.slice(0, SHOWN)}</code>
    <CopyHead head={head} />
    <a className="touch" href={`#${LEDGER_PATH}`}>
      Verify
    </a>
  </p>
);
