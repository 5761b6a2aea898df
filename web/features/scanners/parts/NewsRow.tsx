import type { ReactNode } from 'react';
import { formatDate, formatTime } from '../../../../src/domain/format.ts';
import {
  newsFor,
  type NewsItem,
  noNewsText,
  trendParts,
  trendText,
} from '../../../../src/domain/market/announcements.ts';
import type { NewsDay } from '../../../../src/domain/market/stock.ts';
import { showAlert } from '../../../shared/alerts/showAlert.ts';
import { Button } from '../../../ui/Button.tsx';
import { Trend } from '../../../ui/Trend.tsx';
import { Announcement } from './Announcement.tsx';
import './NewsRow.css';
import { NewsTag } from './NewsTag.tsx';
import type { ScannerRow } from '../../../../src/domain/scanners/membership.ts';

export type NewsRowProps = {
  row: ScannerRow;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
};

/** What opens under a row: sector, status, trend, the way to a new alert, and the announcements of today and of the day before. */
export function NewsRow({ row, today }: NewsRowProps): ReactNode {
  const news = newsFor(row, today);
  return (
    <article className="news-row" aria-label={`News for ${row.code}`}>
      <header className="news-head">
        <h2 className="news-title">
          {row.code} <span className="news-company">{row.name}</span>
        </h2>
        <Facts row={row} />
        <Button onClick={() => showAlert(row.code, null)}>Alert me</Button>
      </header>
      {news.todayItems.length > 0 ? (
        <Announcements items={news.todayItems} label={`Announcements of ${formatDate(today)}`} />
      ) : (
        <p className="news-none">{news.today?.headline ?? noNewsText(row)}</p>
      )}
      {news.previousItems.length > 0 && (
        <section>
          <h3 className="news-subtitle">Yesterday</h3>
          <Announcements items={news.previousItems} />
        </section>
      )}
      {news.today?.summary && <Summary day={news.today} summary={news.today.summary} />}
    </article>
  );
}

function Facts({ row }: { row: ScannerRow }): ReactNode {
  return (
    <dl className="news-facts">
      <Fact term="Sector">{row.sector ?? 'Unknown'}</Fact>
      <Fact term="Status">{row.actualStatus ?? row.status}</Fact>
      {row.trend && (
        <Fact term="Trend">
          {trendParts(row.trend).map((part) => (
            <Trend key={part.unit} direction={part.word}>
              {trendText(part)}
            </Trend>
          ))}
        </Fact>
      )}
      {row.snapshotCapturedAt && <Fact term="Auction values from">{formatTime(row.snapshotCapturedAt)}</Fact>}
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }): ReactNode {
  return (
    <div className="news-fact">
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Announcements({ items, label }: { items: readonly NewsItem[]; label?: string }): ReactNode {
  return (
    <ul className="news-list" aria-label={label}>
      {items.map((item) => (
        <Announcement key={item.id} item={item} />
      ))}
    </ul>
  );
}

function Summary({ day, summary }: { day: NewsDay; summary: string }): ReactNode {
  return (
    <section className="news-summary" aria-label="Summary">
      <p>{summary}</p>
      {day.summary_generated_at && <NewsTag>Generated {formatTime(day.summary_generated_at)}</NewsTag>}
    </section>
  );
}
