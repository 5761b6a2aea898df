import type { ReactNode } from 'react';
import { formatTime } from '../../../../src/domain/format.ts';
import type { NewsItem } from '../../../../src/domain/market/announcements.ts';

/** Only web addresses become links: what a source sends is not trusted with more. */
const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/** One announcement: its time, its headline (a link when it has an address) and its tags. */
export function Announcement({ item }: { item: NewsItem }): ReactNode {
  return (
    <li className="news-item">
      <time className="news-time" dateTime={item.time}>
        {formatTime(item.time)}
      </time>
      {isWebAddress(item.url) ? (
        <a className="news-headline" href={item.url} target="_blank" rel="noopener noreferrer">
          {item.headline}
        </a>
      ) : (
        <span className="news-headline">{item.headline}</span>
      )}
      {item.isPriceSensitive && <span className="tag is-sensitive">Price Sensitive</span>}
      {item.previousDay && <span className="tag">Prev Day</span>}
    </li>
  );
}
