import { type CSSProperties, type ReactNode, useRef } from 'react';
import LinkIcon from 'lucide-react/icons/link';
import { copyText } from '#web/shared/copyText.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { RANK_RULE, VERIFIED_RULE } from '../../rules/rankBounds.ts';
import { DASH } from '#texts/format.ts';
import { recordPath, LEDGER_PATH } from '../callLabels.ts';
import CopyIcon from 'lucide-react/icons/copy';
import { type Head, headText, lineNo } from '../../rules/ledger/line.ts';

type CallsPanelProps = {
  title: string;
  note?: ReactNode;
  className: string;
  /** Replaces title and note: the table has its own `CallsPanelHead`. */
  hasOwnHead?: boolean;
  style?: CSSProperties;
  children: ReactNode;
};

export function CallsPanel({
  title,
  note = null,
  className,
  hasOwnHead = false,
  style,
  children,
}: CallsPanelProps): ReactNode {
  return (
    <section className={`calls-panel stack gap-2 min-h-0 ${className}`} aria-label={title} style={style}>
      {!hasOwnHead && <CallsPanelHead title={title}>{note}</CallsPanelHead>}
      {children}
    </section>
  );
}

export const CallsPanelHead = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div className="cluster">
    <h2>{title}</h2>
    {children}
  </div>
);

/** @param path after '#' */
export function CopyLink({ path }: { path: string }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const copy = async (): Promise<void> => {
    const address = `${window.location.href.split('#')[0]}#${path}`;
    const isCopied = await copyText(address, button.current?.parentElement ?? null);
    showSnackbar(isCopied ? 'Link copied.' : `Copy this address: ${address}`);
  };
  return (
    <Button ref={button} onClick={() => void copy()}>
      <LinkIcon size={14} aria-hidden />
      Copy link
    </Button>
  );
}

type PageHeadProps = {
  title: string;
  back: { to: string; label: string };
  notes: ReactNode;
  children: ReactNode;
};

export const PageHead = ({ title, back, notes, children }: PageHeadProps): ReactNode => (
  <header className="row gap-2-3 break-words">
    <a className="touch" href={`#${back.to}`}>
      {back.label}
    </a>
    <h1>{title}</h1>
    {notes}
    <span className="push">{children}</span>
  </header>
);

export const CountingRules = (): ReactNode => (
  <Disclosure label="How results are counted">
    <div className="stack prose muted">
      <p>{VERIFIED_RULE}</p>
      <p>{RANK_RULE}</p>
    </div>
  </Disclosure>
);

/** Longer names wrap to up to three small lines. */
const MAX_ON_ONE_LINE = 16;

const PersonName = ({ name }: { name: string }) => (
  <span className={name.length > MAX_ON_ONE_LINE ? 'person-name is-long' : 'person-name'} title={name}>
    {name}
  </span>
);

export const RecordLink = ({ name, inTabOrder }: { name: string; inTabOrder: boolean }): ReactNode =>
  name === DASH ? (
    <PersonName name={name} />
  ) : (
    <a className="touch" href={`#${recordPath(name)}`} tabIndex={inTabOrder ? 0 : -1}>
      <PersonName name={name} />
    </a>
  );

/** Enough characters of a hash to compare by eye. */
const SHOWN = 12;

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

export const LedgerNote = ({ head }: { head: Head }): ReactNode => (
  <p className="row gap-1 muted small">
    Ledger: {lineNo(head.number)}, hash <code>{head.hash.slice(0, SHOWN)}</code>
    <CopyHead head={head} />
    <a className="touch" href={`#${LEDGER_PATH}`}>
      Verify
    </a>
  </p>
);
