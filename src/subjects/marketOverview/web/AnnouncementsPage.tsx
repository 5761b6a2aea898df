import { computed, type ReadonlySignal } from '@preact/signals-react';
import { type ReactNode, useCallback, useMemo, useState, useRef } from 'react';
import { readBoolean } from '#lib/read.ts';
import type { Stock } from '#market/rules/stock.ts';
import { cellText } from '#market/scanners/rules/cellText.ts';
import { BASE_COLUMNS, toneOf } from '#market/scanners/rules/columns.ts';
import { counted, DASH, formatDate, formatNumber, formatTime } from '#texts/format.ts';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { meta, retryLive, stocks, streamState } from '#web/live/market.ts';
import { STREAM_FAILED, useStreamFailure } from '#web/live/useStreamFailure.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { showStock } from '#web/windows/stockPane.ts';
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
import { type Overview, useOverview } from './useOverview.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import './overview.css';
import { newNewsAlert, type NewsAlertDraft } from '#subjects/alerts/web/shared/alertRequests.ts';
import { NewsAlertDialog } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { kindsOf } from '#subjects/announcements/rules/announcementKind.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { fetchWatchedSymbols } from '#subjects/alerts/web/shared/watchlists.ts';
import { NativeSelect, TextField, Toggle } from '#ui/Field.tsx';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';
import { useFilterKey } from '#ui/useFilterKey.ts';
import BellIcon from 'lucide-react/icons/bell';
import ExternalLink from 'lucide-react/icons/external-link';
import { Pill } from '#ui/Pill.tsx';
import { isWebAddress } from '#subjects/announcements/web/shared/newsRequests.ts';

/** An announcement with its stock's current record; null before it has arrived. */
type NewsRow = NewsLine & { stock: Stock | null };

const column = (
  given: Pick<TableColumn<NewsRow>, 'id' | 'label' | 'width' | 'maxWidth' | 'text'> &
    Partial<TableColumn<NewsRow>>,
): TableColumn<NewsRow> => ({
  numeric: false,
  flashes: false,
  read: (line) => given.text(line).toLowerCase() || null,
  ...given,
});

const typesOf = ({ types, headline }: NewsRow): string =>
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

const stockColumn = (isNarrow: boolean): TableColumn<NewsRow> =>
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

/** A figure of the announcement's stock, as in the scanners. */
function stockFigure(id: 'last' | 'change_percent'): TableColumn<NewsRow> {
  const figure = BASE_COLUMNS.intraDaySmall.find((one) => one.id === id);
  if (!figure) throw new Error(`No column ${id}`);
  return column({
    id,
    label: figure.label,
    numeric: true,
    flashes: true,
    width: 76,
    maxWidth: 96,
    read: ({ stock }) => stock && figure.value(stock),
    text: ({ stock }) => (stock ? cellText(figure, stock) : DASH),
    tone: figure.colour === 'plain' ? undefined : ({ stock }) => stock && toneOf(figure, stock),
  });
}

const FIGURES = [stockFigure('last'), stockFigure('change_percent')];

const SENSITIVE = column({
  id: 'sensitive',
  label: 'Sensitive',
  width: 110,
  maxWidth: 130,
  text: ({ isPriceSensitive }) => (isPriceSensitive ? 'Price sensitive' : ''),
  render: ({ isPriceSensitive }) => isPriceSensitive && <Pill variant="warn">Price sensitive</Pill>,
});

/** Columns of the news; call it in a memo. @param sensitiveOnly whether all rows are price sensitive */
const newsColumns = (isNarrow: boolean, sensitiveOnly: boolean): TableColumn<NewsRow>[] => [
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
  ...(isNarrow ? FIGURES.slice(-1) : FIGURES),
  column({
    id: 'headline',
    label: 'Headline',
    width: isNarrow ? 260 : 320,
    maxWidth: 720,
    isLong: true,
    text: ({ headline }) => headline,
    render: ({ headline }) => <span title={headline}>{headline}</span>,
  }),
  ...(sensitiveOnly ? [] : [SENSITIVE]),
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
const MAX_CODE = 6;

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
        placeholder="Code or headline"
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

/** An alert on what the filters show. Words that are only a code are a stock, which is on a list or not. */
function draftOf({ sensitiveOnly, type, words }: NewsFilter): NewsAlertDraft {
  const phrase = words.trim();
  const isCode = phrase.length <= MAX_CODE && stocks.peek().has(phrase.toUpperCase());
  return newNewsAlert({
    scan: {
      type: 'announcements',
      kinds: kindsOf({ headline: '', announcementTypes: type === '' ? [] : [type] }),
      words: phrase === '' || isCode ? [] : [phrase],
      ...(sensitiveOnly && { filters: { minValue: 0, sensitiveOnly } }),
    },
  });
}

function AlertMeButton({ filter }: { filter: NewsFilter }): ReactNode {
  const [draft, setDraft] = useState<NewsAlertDraft | null>(null);
  const { accessToken } = session.value;
  if (accessToken === null) return null;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setDraft(draftOf(filter))}>
        <BellIcon size={16} aria-hidden />
        Alert me
      </Button>
      {draft && <NewsAlertDialog alert={null} draft={draft} onClose={() => setDraft(null)} />}
    </>
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

const idOf = ({ id }: NewsRow): string => id;

const KEY = 'bellbird.announcements';

/** Whether only price sensitive ones are shown; this browser remembers it. */
const readSensitiveOnly = (): boolean => readStored(KEY, readBoolean) ?? true;

/** The announcements of a day, newest first, with their stocks' prices. */
export function AnnouncementsPage(): ReactNode {
  const overview = useOverview('news', undefined);
  const { hasFailed, retry } = useStreamFailure(meta.value === null, streamState.value, retryLive);
  return (
    <div className="page announcements-page">
      <header className="row gap-2-3">
        <h1>Announcements</h1>
        <FeedPill />
        <ZoneNote />
      </header>
      {hasFailed ? (
        <Banner action={<Button onClick={retry}>Retry</Button>}>{STREAM_FAILED}</Banner>
      ) : overview.hasFailed.value ? (
        <Banner action={<Button onClick={overview.retry}>Retry</Button>}>
          The announcements could not be loaded. Check your connection, then try again.
        </Banner>
      ) : (
        <DayNews overview={overview} />
      )}
    </div>
  );
}

function DayNews({ overview }: { overview: Overview }): ReactNode {
  const [filter, setFilter] = useState<NewsFilter>(() => ({
    ...OPEN_NEWS,
    sensitiveOnly: readSensitiveOnly(),
  }));
  const changeFilter = (next: NewsFilter) => {
    if (next.sensitiveOnly !== filter.sensitiveOnly) writeStored(KEY, next.sensitiveOnly);
    setFilter(next);
  };
  const [chosenDate, setChosenDate] = useState<string | null>(null);
  const today = meta.value?.dateToday ?? '';
  const news = overview.news.value;
  const watched = useWatched(filter.watchedOnly);
  const lines = useMemo(() => [...news.values()].flat(), [news]);
  const dates = useMemo(() => newsDates(lines, today), [lines, today]);
  const date = chosenDate !== null && dates.includes(chosenDate) ? chosenDate : today;
  const found = useMemo(
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
        onFilter={changeFilter}
        onDate={setChosenDate}
      />
      {watched.problem}
      <NewsTable
        found={found}
        filter={filter}
        resetKey={`${date} ${JSON.stringify(filter)}`}
        isLoading={!overview.hasNews.value}
        note={countText(found.length, all)}
        empty={
          <Empty
            date={date}
            today={today}
            dates={dates}
            all={all}
            onDate={setChosenDate}
            onClear={() => changeFilter(OPEN_NEWS)}
          />
        }
      />
    </section>
  );
}

/** The lines with their stocks. A line whose stock is unchanged stays the same object. */
function useRows(found: readonly NewsLine[]): ReadonlySignal<readonly NewsRow[]> {
  const codes = useMemo(() => [...new Set(found.map(({ code }) => code))].sort(), [found]);
  useWatch({ codes });
  return useMemo(() => {
    const before = new Map<string, NewsRow>();
    return computed(() =>
      found.map((line) => {
        const stock = stocks.value.get(line.code) ?? null;
        const known = before.get(line.id);
        if (known !== undefined && known.stock === stock) return known;
        const row = { ...line, stock };
        before.set(line.id, row);
        return row;
      }),
    );
  }, [found]);
}

const countText = (shown: number, all: number): string =>
  shown === all
    ? counted(all, 'announcement')
    : `${formatNumber(shown, 0)} of ${formatNumber(all, 0)} announcements`;

type NewsTableProps = {
  found: readonly NewsLine[];
  filter: NewsFilter;
  resetKey: string;
  isLoading: boolean;
  note: string;
  empty: ReactNode;
};

function NewsTable({ found, filter, resetKey, isLoading, note, empty }: NewsTableProps): ReactNode {
  const { sensitiveOnly } = filter;
  const rows = useRows(found);
  const [sort, setSort] = useState<SortState>({ id: 'time', desc: true });
  const isNarrow = useWidthQuery('phone');
  const columns = useMemo(() => newsColumns(isNarrow, sensitiveOnly), [isNarrow, sensitiveOnly]);
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
          {/* Placed after the count, whose length is known only then. */}
          {!isLoading && <NewsSource />}
          <span className="push" />
          {pausedChip}
          <AlertMeButton filter={filter} />
          {!isLoading && <ExportButton label="Announcements" columns={columns} rows={newestRows} />}
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
