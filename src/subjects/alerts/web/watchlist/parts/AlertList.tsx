import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';
import type { TableColumn } from '#ui/table/tableModel.ts';
import { useFilterKey } from '#ui/useFilterKey.ts';
import { PageTable } from './WatchTable.tsx';
import { computed } from '@preact/signals-react';
import { stocks } from '#web/live/market.ts';
import { useWatch } from '#web/live/useWatch.tsx';

/**
 * Returns company names from the live list. The function changes only when a name changes.
 * @param symbols in any order, may repeat
 */
export function useCompanies(symbols: readonly string[]): (symbol: string) => string {
  const codes = useMemo(() => [...new Set(symbols)].sort(), [symbols]);
  useWatch({ codes });
  // Depends only on the names, so that ticks do not render.
  const names = useMemo(
    () => computed(() => JSON.stringify(codes.map((code) => stocks.value.get(code)?.name ?? ''))),
    [codes],
  );
  const text = names.value;
  return useMemo(() => {
    const known = JSON.parse(text) as string[];
    const byCode = new Map(codes.map((code, index) => [code, known[index] ?? '']));
    return (symbol) => byCode.get(symbol) ?? '';
  }, [codes, text]);
}

export function AlertList(props: { label: string; isLoading: boolean; children: ReactNode }): ReactNode {
  return <PageTable block="listed-alerts" {...props} />;
}

type ListFailureProps = {
  error: string | null;
  hasOld: boolean;
  onRetry(): Promise<void>;
};

export function ListFailure({ error, hasOld, onRetry }: ListFailureProps): ReactNode {
  if (error === null) return null;
  return (
    <Banner action={<Button onClick={() => void onRetry()}>Retry</Button>}>
      {error}
      {hasOld && <span> · Showing the last version loaded</span>}
    </Banner>
  );
}

const MAX_SEARCH = 100;

type ListSearchProps = { label: string; placeholder: string; typed: string; onType(typed: string): void };

/** The search field of a list; the / key focuses it. */
export function ListSearch({ label, placeholder, typed, onType }: ListSearchProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  useFilterKey(box);
  return (
    <div className="list-search">
      <TextField
        ref={box}
        label={label}
        type="search"
        placeholder={placeholder}
        value={typed}
        maxLength={MAX_SEARCH}
        autoComplete="off"
        spellCheck={false}
        {...LEADS_INTO_TABLE}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  );
}

function isFound(texts: readonly string[], typed: string): boolean {
  const asked = typed.trim().toLowerCase();
  return asked === '' || texts.join('\n').toLowerCase().includes(asked);
}

/** @param textsOf must be stable */
export function useSearch<Row>(all: readonly Row[], textsOf: (row: Row) => string[]) {
  const [typed, setTyped] = useState('');
  const rows = useMemo(() => all.filter((row) => isFound(textsOf(row), typed)), [all, typed, textsOf]);
  return { rows, typed, setTyped };
}

type TextColumn<Row> = Pick<TableColumn<Row>, 'id' | 'label' | 'width' | 'maxWidth' | 'text'> &
  Partial<TableColumn<Row>>;

/** A text column; empty texts sort last. */
export const textColumn = <Row,>(given: TextColumn<Row>): TableColumn<Row> => ({
  numeric: false,
  flashes: false,
  isLong: true,
  read: (row) => given.text(row).toLowerCase() || null,
  ...given,
});

/** A text column that may be truncated, on a phone after two lines; the title has the full text. */
export const titledColumn = <Row,>(given: TextColumn<Row>): TableColumn<Row> =>
  textColumn({
    ...given,
    render: (row) => (
      <span className="two-lines" title={given.text(row)}>
        {given.text(row)}
      </span>
    ),
  });

type StockColumn<Row> = Pick<TextColumn<Row>, 'id' | 'label' | 'text'> & {
  isNarrow: boolean;
  isCode(row: Row): boolean;
  companyOf(row: Row): string;
  narrowWidth: number;
};

/** The first column: a stock with its company, or a scan instead. */
export function stockColumn<Row>(given: StockColumn<Row>): TableColumn<Row> {
  const { isNarrow, isCode, companyOf, narrowWidth, ...column } = given;
  return textColumn({
    ...column,
    width: isNarrow ? narrowWidth : 150,
    maxWidth: isNarrow ? narrowWidth : 260,
    pinned: true,
    isRowHeader: true,
    exported: [
      { label: column.label, value: column.text },
      { label: 'Company', value: companyOf },
    ],
    render: (row) => (
      <>
        <span className={isCode(row) ? 'strong' : undefined}>{column.text(row)}</span>
        {companyOf(row) !== '' && !isNarrow && <span className="muted"> {companyOf(row)}</span>}
      </>
    ),
  });
}
