import { createContext, type ReactNode, type Ref, useContext, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { formatShortDate, formatTime } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { messageOf } from '#web/api/client.ts';
import { serverNow } from '#web/live/market.ts';
import { ExportDrawnButton } from '#web/shared/export/ExportButton.tsx';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';

type RecordTableProps = {
  label: string;
  headings: readonly string[];
  /** Headings of the columns with numbers, which get the class `is-number`. */
  numbers?: readonly string[];
  isBusy?: boolean;
  /** True if no row is focusable: then the table is, so that the keyboard can scroll it. */
  isText?: boolean;
  ref?: Ref<HTMLDivElement>;
  /** Rows of `td` with a `th` as first cell; each cell names its heading in `data-heading`. */
  children: ReactNode;
};

const HeadingEnd = createContext<HTMLElement | null>(null);

type HeadedProps = { level: 2 | 3; id?: string; title: string; children: ReactNode };

/** A heading and its content, whose tables put their export button at the heading's end. */
export function Headed({ level, id, title, children }: HeadedProps): ReactNode {
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <>
      <div className="headed cluster justify-between self-stretch">
        <Heading id={id} tabIndex={-1}>
          {title}
        </Heading>
        <span ref={setEnd} />
      </div>
      <HeadingEnd value={end}>{children}</HeadingEnd>
    </>
  );
}

/** A table of records. On a phone each record is a block of lines. A long table has its own scrollbar. */
export function RecordTable({
  label,
  headings,
  numbers = [],
  isBusy = false,
  isText = false,
  ref,
  children,
}: RecordTableProps): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  const headingEnd = useContext(HeadingEnd);
  const exportButton = <ExportDrawnButton label={label} table={table} />;
  return (
    <>
      {headingEnd ? createPortal(exportButton, headingEnd) : exportButton}
      <div
        ref={ref}
        className="record-table self-stretch min-w-0"
        {...(isText && { role: 'group', 'aria-label': label, tabIndex: 0 })}
      >
        <StackedTable ref={table} label={label} isBusy={isBusy}>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th key={heading} scope="col" className={numbers.includes(heading) ? 'is-number' : undefined}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </StackedTable>
      </div>
    </>
  );
}

type FactListProps = { facts: readonly (readonly [name: string, value: ReactNode])[] };

export const FactList = ({ facts }: FactListProps) => (
  <dl className="fact-list figures table-text">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export type Pages<P> = {
  loaded: Loaded<P>;
  failure: string | null;
  isLoadingMore: boolean;
  /** Loads and appends the next page, if there is one. */
  more(): Promise<void>;
};

/**
 * A list that loads page by page. Answers for an earlier list are dropped.
 * @param fetchPage loads the first page, or the one at `before`; stable for the same list
 * @param join appends a page
 * @param fallback message for a failure without one
 */
export function usePages<P extends { next: number | null }>(
  fetchPage: (before?: number) => Promise<P>,
  join: (page: P, added: P) => P,
  fallback: string,
): Pages<P> {
  const loaded = useLoaded<P>(() => fetchPage(), fallback, { of: fetchPage });
  const [failure, setFailure] = useState<string | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const shown = useRef(loaded.data);
  shown.current = loaded.data;

  async function more(): Promise<void> {
    const page = loaded.data;
    if (page === null || page.next === null || isLoadingMore) return;
    setLoadingMore(true);
    setFailure(null);
    try {
      const added = await fetchPage(page.next);
      if (shown.current === page) loaded.set(join(page, added));
    } catch (problem) {
      if (shown.current === page) setFailure(messageOf(problem, fallback));
    } finally {
      setLoadingMore(false);
    }
  }
  return { loaded, failure, isLoadingMore, more };
}

type MoreButtonProps = {
  pages: Pages<{ next: number | null }>;
  /** The plural noun: 'users'. */
  what: string;
};

export const MoreButton = ({ pages: { loaded, failure, isLoadingMore, more }, what }: MoreButtonProps) => (
  <>
    {failure !== null && <Banner>{failure}</Banner>}
    {loaded.data !== null && loaded.data.next !== null && (
      <Button aria-disabled={isLoadingMore} onClick={() => void more()}>
        {isLoadingMore ? 'Loading…' : `Show more ${what}`}
      </Button>
    )}
  </>
);

/** A time in Sydney: '19 Nov 16:31', in another year '19 Nov 2025 16:31'. @param time epoch ms */
export const whenText = (time: number): string =>
  `${formatShortDate(sydneyDate(time), sydneyDate(serverNow()))} ${formatTime(time)}`;
