import { type ReactNode, useState, type ComponentProps, useEffect, useLayoutEffect, useRef } from 'react';
import { chooseTimeframe, chosenTimeframe, StockChart } from './chart/StockChart.tsx';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { usePaneOn } from '#web/windows/stockPane.ts';
import { PopOutChart } from '#web/windows/PopOutChart.tsx';
import { Button } from '#ui/Button.tsx';
import { lateWithRetry } from '#web/shared/lateStyles.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { newsFor, type NewsItem, noNewsText, previousNews } from '#market/rules/announcements.ts';
import {
  type NewsSummary,
  offersRefresh,
  offersSummary,
  releaseText,
  shownTrend,
  summaryOf,
} from '#market/rules/newsRow.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { marketNow, meta } from '#web/live/market.ts';
import { Trend } from '#ui/Trend.tsx';
import '#subjects/announcements/web/shared/announcementsLate.css';
import {
  NewsSource,
  NewsTag,
  SummaryCard,
  DocumentLink,
} from '#subjects/announcements/web/shared/newsParts.tsx';
import {
  forgetRefusals,
  noteSummary,
  newsRequests,
  requestRefresh,
  requestsOf,
  requestSummary,
} from '#subjects/announcements/web/shared/newsRequests.ts';
import { zoneMark } from '#web/shared/zoneMark.ts';
import BellPlusIcon from 'lucide-react/icons/bell-plus';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import type { Stock } from '#market/rules/stock.ts';
import { AlertMe } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { appInfo } from '#web/shared/appInfo.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';

type NewsActionsProps = {
  row: Stock;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
  summary: NewsSummary;
  hasAlertButton: boolean;
};

function NewsActions({ row, today, summary, hasAlertButton }: NewsActionsProps): ReactNode {
  const { code } = row;
  const [isAsking, setAsking] = useState(false);
  const { refresh, summary: asked } = requestsOf(newsRequests.value, code);
  const { accessLevel } = session.value;
  const hasModel = appInfo.value?.hasModel ?? false;
  const isWaiting = asked?.state === 'waiting';
  const hasText = summary.text ?? (asked?.state === 'told' ? asked.text : null);
  return (
    <div className="news-actions row">
      {offersRefresh(row, today) && (
        <ActionButton isBusy={refresh?.isSending ?? false} onClick={() => void requestRefresh(code)}>
          <RefreshCwIcon size={14} aria-hidden />
          Refresh news
        </ActionButton>
      )}
      {offersSummary(row, hasText, { accessLevel, hasModel }) && (
        <ActionButton isBusy={isWaiting} onClick={() => void requestSummary(code, summary)}>
          {isWaiting ? 'Summarising…' : 'Summarise'}
        </ActionButton>
      )}
      {hasAlertButton && (
        <Button onClick={() => setAsking(true)}>
          <BellPlusIcon size={14} aria-hidden />
          Alert me
        </Button>
      )}
      {isAsking && <AlertMe row={row} onClose={() => setAsking(false)} />}
      <p className="muted" aria-live="polite">
        {refresh?.error == null && refresh?.message}
      </p>
      {refresh?.error != null && (
        <p className="down" role="alert">
          {refresh.error}
        </p>
      )}
    </div>
  );
}

/** A button that disappears when its work is done; the row then gets the focus. */
function ActionButton({
  isBusy,
  onClick,
  ...rest
}: ComponentProps<'button'> & { isBusy: boolean }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element && document.activeElement === element) element.closest('article')?.focus();
    };
  }, []);
  return (
    <Button
      ref={button}
      // `disabled` would lose the focus.
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (!isBusy) onClick?.(event);
      }}
      {...rest}
    />
  );
}

type AnnouncementProps = {
  item: NewsItem;
  /** The date that is not shown, because it is that of the list; YYYY-MM-DD, Sydney. */
  date: string;
};

function Announcement({ item, date }: AnnouncementProps): ReactNode {
  // Some sources repeat the headline as a type.
  const types = item.announcementTypes.filter((type) => type !== item.headline);
  return (
    <li className="announcement">
      <time className="flex-none muted" dateTime={item.time}>
        {releaseText(item.time, date)}
      </time>
      <DocumentLink item={item} className="announcement-headline" />
      {item.isPriceSensitive && <NewsTag isSensitive>Price Sensitive</NewsTag>}
      {item.previousDay && <NewsTag>Prev Day</NewsTag>}
      {types.length > 0 && <span className="min-w-0 muted small">{types.join(', ')}</span>}
    </li>
  );
}

export type NewsRowProps = {
  row: ScannerRow;
  /** Sydney date of the shown session, YYYY-MM-DD. */
  today: string;
  /** Whether to offer a new alert; false if the alerts are shown next to it. */
  hasAlertButton: boolean;
  /** Whether to name the stock; false if a heading above does. */
  hasHeading?: boolean;
};

/** The market's current Sydney date, or the shown day until that is known. */
const dateNow = (today: string): string => (meta.peek() === null ? today : sydneyDate(marketNow()));

export function NewsRow({ row, today, hasAlertButton, hasHeading = true }: NewsRowProps): ReactNode {
  const { code } = row;
  const news = newsFor(row, today);
  const summary = summaryOf(row, today);
  const { text, note } = summary;
  useEffect(() => noteSummary(code, { text, note }), [code, text, note]);
  useEffect(() => () => forgetRefusals(code), [code]);
  return (
    <article className="news-row stack gap-2 table-text" aria-label={`News for ${code}`} tabIndex={-1}>
      <header className="row gap-0-3">
        {hasHeading && (
          <h2 className="table-text">
            {code} <span className="muted regular">{row.name}</span>
          </h2>
        )}
        <Facts row={row} />
        <NewsSource />
      </header>
      <NewsActions row={row} today={today} summary={summary} hasAlertButton={hasAlertButton} />
      {news.todayItems.length > 0 ? (
        <Announcements
          items={news.todayItems}
          date={dateNow(today)}
          label={`Announcements of ${formatDate(today)}`}
        />
      ) : (
        <p className="muted">{news.today?.headline ?? noNewsText(row)}</p>
      )}
      <PreviousDay row={row} today={today} items={news.previousItems} />
      <SummaryCard code={code} summary={summary} today={dateNow(today)} />
    </article>
  );
}

function Facts({ row }: { row: ScannerRow }): ReactNode {
  const zone = zoneMark(marketNow()).trim();
  return (
    <dl className="row gap-0-3">
      <Fact term="Sector">{row.sector ?? 'Unknown'}</Fact>
      <Fact term="Status">{row.actualStatus ?? row.status}</Fact>
      {row.trend && (
        <Fact term="Trend">
          {shownTrend(row.trend).map(({ text, word }) => (
            <Trend key={text} direction={word}>
              {text}
            </Trend>
          ))}
        </Fact>
      )}
      {zone !== '' && <Fact term="Times">Sydney ({zone})</Fact>}
      {row.snapshotCapturedAt && <Fact term="Auction values from">{formatTime(row.snapshotCapturedAt)}</Fact>}
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }): ReactNode {
  return (
    <div className="cluster">
      <dt>{term}:</dt>
      <dd className="cluster">{children}</dd>
    </div>
  );
}

type PreviousDayProps = { row: ScannerRow; today: string; items: readonly NewsItem[] };

/** News of the previous day with its date, because that day may be a Friday. */
function PreviousDay({ row, today, items }: PreviousDayProps): ReactNode {
  const previous = previousNews(row, today);
  if (previous === null || (items.length === 0 && !previous.day.headline)) return null;
  return (
    <section>
      <header className="row muted small">
        <h3 className="small">Yesterday</h3>
        <time dateTime={previous.date}>{formatDate(previous.date)}</time>
      </header>
      {items.length > 0 ? (
        <Announcements items={items} date={previous.date} />
      ) : (
        <p>
          {previous.day.headline} <NewsTag>Prev Day</NewsTag>
        </p>
      )}
    </section>
  );
}

type AnnouncementsProps = {
  items: readonly NewsItem[];
  date: string;
  label?: string;
};

function Announcements({ items, date, label }: AnnouncementsProps): ReactNode {
  return (
    <ul aria-label={label}>
      {items.map((item) => (
        <Announcement key={item.id} item={item} date={date} />
      ))}
    </ul>
  );
}

const auction = lateWithRetry(() => import('./auction/Auction.tsx').then((code) => code.Auction));

export const loadAuction = auction.load;

/** The auction of a row. It does not use `lazy`, so that the row stays if the code does not load. */
export function AuctionPanel({ row }: { row: ScannerRow }): ReactNode {
  const { code } = row;
  const { Code, hasFailed, retry } = auction.useCode();
  if (Code !== null)
    return <Code key={code} code={code} {...(row.status === 'Pre Open' && { kind: 'open' })} />;
  if (!hasFailed) return <p role="status">Loading the auction…</p>;
  return (
    <p role="alert">
      The auction could not be loaded. <Button onClick={retry}>Retry</Button>
    </p>
  );
}

/** Height of a row's chart and of its placeholder, px, so that rows below do not move. */
const CHART_HEIGHT = 280;

/** Whether a row shows its auction: while one forms, and in the table of results. */
export const hasAuction = ({ status, snapshotCapturedAt }: ScannerRow): boolean =>
  status === 'Pre Open' || status === 'CSPA' || snapshotCapturedAt !== undefined;

/** The opened row: news, and unless the docked pane shows them, auction and chart. */
export function RowPanel(props: NewsRowProps): ReactNode {
  const isPaneOn = usePaneOn();
  return (
    <div className="row-panel">
      <div className="row-panel-parts">
        {!isPaneOn && <Pictures row={props.row} />}
        <RetryBoundary sentence={`The news of ${props.row.code} could not be shown.`}>
          <NewsRow {...props} />
        </RetryBoundary>
      </div>
    </div>
  );
}

function Pictures({ row }: { row: ScannerRow }): ReactNode {
  return (
    <div className="row-panel-pictures wrap gap-3">
      {hasAuction(row) && (
        <div className="row-panel-picture">
          <RetryBoundary sentence={`The auction of ${row.code} could not be shown.`}>
            <AuctionPanel row={row} />
          </RetryBoundary>
        </div>
      )}
      <div className="row-panel-picture">
        <RetryBoundary sentence={`The chart of ${row.code} could not be shown.`}>
          <StockChart
            key={row.code}
            code={row.code}
            stock={row}
            tf={chosenTimeframe.value}
            onTimeframe={chooseTimeframe}
            height={CHART_HEIGHT}
            tools={<PopOutChart code={row.code} />}
          />
        </RetryBoundary>
      </div>
    </div>
  );
}
