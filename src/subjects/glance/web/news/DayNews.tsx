import { type ReactNode, useCallback, useMemo, useState, useRef } from 'react';
import { formatDate, formatNumber } from '#texts/format.ts';
import { meta } from '#web/live/market.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { SortState } from '#ui/table/types.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { NewsSource } from '#subjects/announcements/web/shared/NewsSource.tsx';
import {
  filteredNews,
  newsDates,
  type NewsFilter,
  type NewsLine,
  newsTypes,
  OPEN_NEWS,
} from '#subjects/glance/rules/dayNews.ts';
import { showStock } from '../showInScanner.ts';
import type { Glance } from '../useGlance.ts';
import { newsColumns } from './newsColumns.tsx';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { RetryBanner } from '#ui/Banner.tsx';
import { fetchWatchedSymbols } from '#subjects/alerts/web/shared/watchlists.ts';
import { NativeSelect, TextField, Toggle } from '#ui/Field.tsx';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';
import { useFilterKey } from '#ui/useFilterKey.ts';

const MAX_WORDS = 80;

type NewsFiltersProps = {
  filter: NewsFilter;
  /** Of the day that is shown. */
  types: readonly string[];
  /** The days that have announcements, YYYY-MM-DD. */
  dates: readonly string[];
  date: string;
  today: string;
  onFilter(filter: NewsFilter): void;
  onDate(date: string): void;
};

/** What narrows the list of announcements. */
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
    // One that is chosen stays in the list although the day has none of it.
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

/** The symbols of the user's lists, asked for each time that they are wanted; null while they are not known. */
function useWatched(isWanted: boolean): {
  symbols: ReadonlySet<string> | null;
  /** Says that they could not be loaded. */
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

/** The announcements of a day of all stocks, the newest first; they come with the stream. */
export function DayNews({ glance }: { glance: Glance }): ReactNode {
  const [filter, setFilter] = useState<NewsFilter>(OPEN_NEWS);
  const [chosenDate, setChosenDate] = useState<string | null>(null);
  const today = meta.value?.dateToday ?? '';
  const news = glance.news.value;
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
        isLoading={!glance.hasNews.value}
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
    ? `${formatNumber(all, 0)} ${all === 1 ? 'announcement' : 'announcements'}`
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
          {!isLoading && <TakeButton label="Announcements" columns={columns} rows={newestRows} />}
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
  /** How many the day has without a filter. */
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
