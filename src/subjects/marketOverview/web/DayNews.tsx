import { type ReactNode, useCallback, useMemo, useState, useRef } from 'react';
import { counted, formatDate, formatNumber, formatTime } from '#texts/format.ts';
import { meta } from '#web/live/market.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { SortState, TableColumn } from '#ui/table/tableModel.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { NewsSource } from '#subjects/announcements/web/shared/newsParts.tsx';
import {
  filteredNews,
  newsDates,
  type NewsFilter,
  type NewsLine,
  newsTypes,
  OPEN_NEWS,
} from '../rules/dayNews.ts';
import { showStock } from './showInScanner.ts';
import type { Overview } from './useOverview.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { RetryBanner } from '#ui/Banner.tsx';
import { fetchWatchedSymbols } from '#subjects/alerts/web/shared/watchlists.ts';
import { NativeSelect, TextField, Toggle } from '#ui/Field.tsx';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';
import { useFilterKey } from '#ui/useFilterKey.ts';
import ExternalLink from 'lucide-react/icons/external-link';
import { Pill } from '#ui/Pill.tsx';
import { isWebAddress } from '#subjects/announcements/web/shared/newsRequests.ts';

const column = (
  given: Pick<TableColumn<NewsLine>, 'id' | 'label' | 'width' | 'maxWidth' | 'text'> &
    Partial<TableColumn<NewsLine>>,
): TableColumn<NewsLine> => ({
  numeric: false,
  flashes: false,
  read: (line) => given.text(line).toLowerCase() || null,
  ...given,
});

const typesOf = ({ types, headline }: NewsLine): string =>
  types.filter((type) => type !== headline).join(', ');

const DOCUMENT = column({
  id: 'document',
  label: 'Document',
  width: 96,
  maxWidth: 110,
  isSortable: false as const,
  exported: [{ label: 'Document', value: ({ url }) => (isWebAddress(url) ? url : '') }],
  text: ({ url }) => (isWebAddress(url) ? 'Document' : ''),
  render: ({ url, code, headline }, inTabOrder) =>
    isWebAddress(url) && (
      <a
        className="touch gap-1"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={`Document of ${code}: ${headline}`}
        tabIndex={inTabOrder ? 0 : -1}
        onClick={(event) => event.stopPropagation()}
      >
        Open <ExternalLink size={12} aria-hidden />
      </a>
    ),
});

const stockColumn = (isNarrow: boolean): TableColumn<NewsLine> =>
  column({
    id: 'code',
    label: 'Stock',
    pinned: true,
    isRowHeader: true,
    isLong: true,
    exported: [
      { label: 'Code', value: ({ code }) => code },
      { label: 'Name', value: ({ name }) => name },
    ],
    width: isNarrow ? 64 : 160,
    maxWidth: isNarrow ? 64 : 240,
    text: ({ code }) => code,
    render: ({ code, name }) => (
      <>
        <b>{code}</b>
        {!isNarrow && <span className="muted"> {name}</span>}
      </>
    ),
  });

/** Columns of the news; call it in a memo. */
const newsColumns = (isNarrow: boolean): TableColumn<NewsLine>[] => [
  column({
    id: 'time',
    label: 'Time',
    title: 'When it was released, in Sydney',
    width: 56,
    maxWidth: 64,
    pinned: true,
    isTime: true,
    read: ({ time }) => Date.parse(time),
    text: ({ time }) => formatTime(time),
  }),
  stockColumn(isNarrow),
  column({
    id: 'headline',
    label: 'Headline',
    width: isNarrow ? 250 : 320,
    maxWidth: 720,
    isLong: true,
    text: ({ headline }) => headline,
    render: ({ headline }) => <span title={headline}>{headline}</span>,
  }),
  column({
    id: 'sensitive',
    label: 'Sensitive',
    width: 110,
    maxWidth: 130,
    text: ({ isPriceSensitive }) => (isPriceSensitive ? 'Price sensitive' : ''),
    render: ({ isPriceSensitive }) => isPriceSensitive && <Pill variant="warn">Price sensitive</Pill>,
  }),
  column({
    id: 'types',
    label: 'Type',
    width: 170,
    maxWidth: 320,
    isLong: true,
    text: typesOf,
    render: (line) => <span title={typesOf(line)}>{typesOf(line)}</span>,
  }),
  DOCUMENT,
];

const MAX_WORDS = 80;

type NewsFiltersProps = {
  filter: NewsFilter;
  /** Types of the announcements on the shown day. */
  types: readonly string[];
  /** Days with announcements, YYYY-MM-DD. */
  dates: readonly string[];
  date: string;
  today: string;
  onFilter(filter: NewsFilter): void;
  onDate(date: string): void;
};

function NewsFilters(props: NewsFiltersProps): ReactNode {
  const { filter, onFilter } = props;
  const box = useRef<HTMLInputElement>(null);
  useFilterKey(box);
  const change = (part: Partial<NewsFilter>) => onFilter({ ...filter, ...part });
  return (
    <div className="market-filters row gap-2-3 align-end">
      <TextField
        ref={box}
        label="Search"
        type="search"
        placeholder="Code or words of the headline"
        value={filter.words}
        maxLength={MAX_WORDS}
        autoComplete="off"
        spellCheck={false}
        {...LEADS_INTO_TABLE}
        onChange={({ target }) => change({ words: target.value })}
      />
      <TypeAndDay {...props} />
      <Toggle
        label="Price sensitive"
        checked={filter.sensitiveOnly}
        onChange={(sensitiveOnly) => change({ sensitiveOnly })}
      />
      <Toggle
        label="My watchlist"
        checked={filter.watchedOnly}
        onChange={(watchedOnly) => change({ watchedOnly })}
      />
    </div>
  );
}

function TypeAndDay({ filter, types, dates, date, today, onFilter, onDate }: NewsFiltersProps): ReactNode {
  const typeOptions = useMemo(() => {
    // A chosen type stays in the list even if the day has none of it.
    const all = filter.type === '' || types.includes(filter.type) ? types : [filter.type, ...types];
    return [{ id: '', label: 'All types' }, ...all.map((type) => ({ id: type, label: type }))];
  }, [types, filter.type]);
  const days = dates.includes(today) ? dates : [today, ...dates];
  return (
    <>
      <NativeSelect
        label="Type"
        value={filter.type}
        options={typeOptions}
        onChoose={(type) => onFilter({ ...filter, type })}
      />
      <NativeSelect
        label="Day"
        value={date}
        options={days.map((day) => ({ id: day, label: day === today ? 'Today' : formatDate(day) }))}
        onChoose={onDate}
      />
    </>
  );
}

/** Symbols of the user's lists, loaded when needed; null while unknown. */
function useWatched(isWanted: boolean): {
  symbols: ReadonlySet<string> | null;
  problem: ReactNode;
} {
  const { data, error, reload } = useLoaded(fetchWatchedSymbols, MESSAGES.watchlist.load, {
    of: isWanted ? 'watchlist' : null,
  });
  const symbols = useMemo(() => data && new Set(data), [data]);
  const problem = isWanted && error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>;
  return { symbols, problem };
}

const idOf = ({ id }: NewsLine): string => id;

export function DayNews({ overview }: { overview: Overview }): ReactNode {
  const [filter, setFilter] = useState<NewsFilter>(OPEN_NEWS);
  const [chosenDate, setChosenDate] = useState<string | null>(null);
  const today = meta.value?.dateToday ?? '';
  const news = overview.news.value;
  const watched = useWatched(filter.watchedOnly);
  const lines = useMemo(() => [...news.values()].flat(), [news]);
  const dates = useMemo(() => newsDates(lines, today), [lines, today]);
  const date = chosenDate !== null && dates.includes(chosenDate) ? chosenDate : today;
  const rows = useMemo(
    () => filteredNews(lines, date, filter, watched.symbols),
    [lines, date, filter, watched.symbols],
  );
  const types = useMemo(() => newsTypes(lines, date), [lines, date]);
  const all = useMemo(() => lines.filter((line) => line.date === date).length, [lines, date]);
  return (
    <section className="market-news stack gap-2 grow min-h-0" aria-label="Announcements">
      <NewsFilters
        filter={filter}
        types={types}
        dates={dates}
        date={date}
        today={today}
        onFilter={setFilter}
        onDate={setChosenDate}
      />
      {watched.problem}
      <NewsTable
        rows={rows}
        resetKey={`${date} ${JSON.stringify(filter)}`}
        isLoading={!overview.hasNews.value}
        note={countText(rows.length, all)}
        empty={
          <Empty
            date={date}
            today={today}
            dates={dates}
            all={all}
            onDate={setChosenDate}
            onClear={() => setFilter(OPEN_NEWS)}
          />
        }
      />
    </section>
  );
}

const countText = (shown: number, all: number): string =>
  shown === all
    ? counted(all, 'announcement')
    : `${formatNumber(shown, 0)} of ${formatNumber(all, 0)} announcements`;

type NewsTableProps = {
  rows: readonly NewsLine[];
  resetKey: string;
  isLoading: boolean;
  note: string;
  empty: ReactNode;
};

function NewsTable({ rows, resetKey, isLoading, note, empty }: NewsTableProps): ReactNode {
  const [sort, setSort] = useState<SortState>({ id: 'time', desc: true });
  const isNarrow = useWidthQuery('phone');
  const columns = useMemo(() => newsColumns(isNarrow), [isNarrow]);
  const open = useCallback((id: string) => showStock(id.slice(0, id.indexOf(' '))), []);
  return (
    <DataTable
      label="Announcements"
      columns={columns}
      rows={rows}
      rowId={idOf}
      sort={sort}
      onSort={setSort}
      resetKey={resetKey}
      onOpen={open}
      loading={isLoading}
      isPrimary
      heading={({ pausedChip, newestRows }) => (
        <header className="row gap-0-3 muted small">
          <span role="status">{isLoading ? 'Loading…' : note}</span>
          <NewsSource />
          {!isLoading && <ExportButton label="Announcements" columns={columns} rows={newestRows} />}
          {pausedChip}
        </header>
      )}
      empty={empty}
    />
  );
}

type EmptyProps = {
  date: string;
  today: string;
  dates: readonly string[];
  /** Number of the day's announcements without filters. */
  all: number;
  onDate(date: string): void;
  onClear(): void;
};

function Empty({ date, today, dates, all, onDate, onClear }: EmptyProps): ReactNode {
  const [before] = dates.filter((one) => one < today);
  if (all > 0) {
    return (
      <EmptyState action={<Button onClick={onClear}>Clear the filters</Button>}>
        The filters hide all announcements of {formatDate(date)}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      detail={formatDate(date)}
      action={before && <Button onClick={() => onDate(before)}>Show those of {formatDate(before)}</Button>}
    >
      No announcements yet.
    </EmptyState>
  );
}
