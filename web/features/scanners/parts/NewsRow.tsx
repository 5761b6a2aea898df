import type { ReactNode } from 'react';
import { formatDate, formatTime } from '../../../../src/domain/format.ts';
import { newsFor, noNewsText, trendParts, trendText } from '../../../../src/domain/market/announcements.ts';
import type { ScannerRow } from '../../../../src/domain/scanners/scanners.ts';
import type { NewsDay } from '../../../../src/domain/market/stock.ts';
import { Trend } from '../../../ui/Trend.tsx';
import { Announcement } from './Announcement.tsx';

export type NewsRowProps = {
  row: ScannerRow;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
};

/** What opens under a row: sector, status, trend, and the announcements of today and the day before. */
export function NewsRow({ row, today }: NewsRowProps): ReactNode {
  const news = newsFor(row, today);
  return (
    <article className="news-row" aria-label={`News for ${row.code}`}>
      <header className="news-head">
        <h2 className="news-title">
          {row.code} <span className="news-company">{row.name}</span>
        </h2>
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
          {row.snapshotCapturedAt && (
            <Fact term="Auction values from">{formatTime(row.snapshotCapturedAt)}</Fact>
          )}
        </dl>
      </header>
      {news.todayItems.length > 0 ? (
        <ul className="news-list" aria-label={`Announcements of ${formatDate(today)}`}>
          {news.todayItems.map((item) => (
            <Announcement key={item.id} item={item} />
          ))}
        </ul>
      ) : (
        <p className="news-none">{news.today?.headline ?? noNewsText(row)}</p>
      )}
      {news.previousItems.length > 0 && (
        <section>
          <h3 className="news-subtitle">Yesterday</h3>
          <ul className="news-list">
            {news.previousItems.map((item) => (
              <Announcement key={item.id} item={item} />
            ))}
          </ul>
        </section>
      )}
      {news.today?.summary && <Summary day={news.today} summary={news.today.summary} />}
    </article>
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

function Summary({ day, summary }: { day: NewsDay; summary: string }): ReactNode {
  return (
    <section className="news-summary" aria-label="Summary">
      <p>{summary}</p>
      {day.summary_generated_at && (
        <span className="tag">Generated {formatTime(day.summary_generated_at)}</span>
      )}
    </section>
  );
}
