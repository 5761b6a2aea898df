import { type ReactNode, useRef, useCallback, useState } from 'react';
import LinkIcon from 'lucide-react/icons/link';
import { copyText } from '#web/shared/copyText.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { RANK_RULE, VERIFIED_RULE } from '../../rules/rankBounds.ts';
import { DASH } from '#texts/format.ts';
import CopyIcon from 'lucide-react/icons/copy';
import { type LatestEntry, latestText, entryName } from '../../rules/ledger/entry.ts';
import { Banner } from '#ui/Banner.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { isMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { CALLS_PATH } from '#web/router/routes.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import type { CellTone } from '#ui/table/tableModel.ts';

export const callPath = (publicId: string): string => `${CALLS_PATH}/${encodeURIComponent(publicId)}`;

export const recordPath = (name: string): string => `${CALLS_PATH}/by/${encodeURIComponent(name)}`;

export const RANKS_PATH = `${CALLS_PATH}/ranks`;

export const LEDGER_PATH = `${CALLS_PATH}/ledger`;

/** The tone of a value by its sign; a value that rounds to zero is flat. @param decimals displayed decimals */
export function directionTone(value: number | null, decimals: number): CellTone {
  if (value === null) return null;
  if (Math.abs(value) * 10 ** decimals < 0.5) return 'flat';
  return value > 0 ? 'up' : 'down';
}

type CallsPanelProps = {
  title: string;
  className: string;
  /** True if the table has its own `CallsPanelHead`. */
  hasOwnHead?: boolean;
  children: ReactNode;
};

export function CallsPanel({ title, className, hasOwnHead = false, children }: CallsPanelProps): ReactNode {
  return (
    <section className={`calls-panel stack gap-2 min-h-0 ${className}`} aria-label={title}>
      {!hasOwnHead && <CallsPanelHead title={title} />}
      {children}
    </section>
  );
}

export const CallsPanelHead = ({ title, children }: { title: string; children?: ReactNode }): ReactNode => (
  <div className="cluster">
    <h2 className="push-start">{title}</h2>
    {children}
  </div>
);

/** @param path part of the address after '#' */
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
    <span className="row gap-2 push">{children}</span>
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

/** Longer names wrap to at most three small lines. */
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

/** Characters of a hash that are shown: enough to compare by eye. */
const SHOWN = 12;

export function CopyLatest({ head }: { head: LatestEntry }): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  const text = latestText(head);
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

export const LedgerNote = ({ head }: { head: LatestEntry }): ReactNode => (
  <p className="row gap-1">
    Ledger: {entryName(head.number)}, hash <code>{head.hash.slice(0, SHOWN)}</code>
    <CopyLatest head={head} />
    <a className="touch" href={`#${LEDGER_PATH}`}>
      Verify
    </a>
  </p>
);

export const NoSuchPage = ({ children, isScreen }: { children: ReactNode; isScreen?: boolean }) => (
  <EmptyState
    isScreen={isScreen}
    action={
      <a className="button" href={`#${CALLS_PATH}`}>
        Go to Calls
      </a>
    }
  >
    {children}
  </EmptyState>
);

export type Fetched<T> =
  | { kind: 'loading' }
  | { kind: 'known'; data: T }
  /** The object does not exist; `message` is the server's sentence. */
  | { kind: 'missing'; message: string }
  | { kind: 'failed'; message: string };

type Fetching<T> = {
  state: Fetched<T>;
  /** Loads again and shows nothing until then. */
  retry(): void;
  /** Loads again because the shown data is outdated; the data stays until the answer. */
  refresh(): void;
  /** Loads newer data; the shown data stays even if that fails. */
  renew(): void;
};

/**
 * Loads at the start, on request, and after a reconnect if loading had failed.
 * @param fetch must be stable
 * @param failed message for a failure without one
 */
export function useFetched<T>(fetch: () => Promise<T>, failed: string): Fetching<T> {
  const { data, isCurrent, error, problem, isLoading, reload } = useLoaded(fetch, failed);
  /** Data to hide if the next load fails. */
  const [old, setOld] = useState<T | null>(null);
  const renew = useCallback(() => void reload(), [reload]);
  const refresh = useCallback(() => {
    setOld(data);
    renew();
  }, [data, renew]);
  const state = ((): Fetched<T> => {
    if (error !== null && isMissing(problem)) return { kind: 'missing', message: error };
    if (data !== null && isCurrent && (error === null || data !== old)) return { kind: 'known', data };
    return error === null || isLoading ? { kind: 'loading' } : { kind: 'failed', message: error };
  })();
  return { state, retry: renew, refresh, renew };
}

type FetchedBodyProps<T> = { state: Fetched<T>; retry(): void; children: (data: T) => ReactNode };

export function FetchedBody<T>({ state, retry, children }: FetchedBodyProps<T>): ReactNode {
  if (state.kind === 'known') return children(state.data);
  if (state.kind === 'loading') return <SkeletonRows rows={5} />;
  if (state.kind === 'failed') {
    return <Banner action={<Button onClick={retry}>Retry</Button>}>{state.message}</Banner>;
  }
  return <NoSuchPage>{state.message}</NoSuchPage>;
}
