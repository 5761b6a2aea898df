import type { ReactNode } from 'react';
import { formatTime } from '../../../../src/domain/format.ts';
import type { NewsItem } from '../../../../src/domain/market/announcements.ts';
import './Announcement.css';
import { NewsTag } from './NewsTag.tsx';

/** Only web addresses become links: an address from a source may be anything, such as a script. */
const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/** One announcement: its time, its headline (a link when it has an address) and its tags. */
export function Announcement({ item }: { item: NewsItem }): ReactNode {
  return (
    <li className="announcement">
      <time className="announcement-time" dateTime={item.time}>
        {formatTime(item.time)}
      </time>
      {isWebAddress(item.url) ? (
        <a className="announcement-headline" href={item.url} target="_blank" rel="noopener noreferrer">
          {item.headline}
        </a>
      ) : (
        <span className="announcement-headline">{item.headline}</span>
      )}
      {item.isPriceSensitive && <NewsTag isSensitive>Price Sensitive</NewsTag>}
      {item.previousDay && <NewsTag>Prev Day</NewsTag>}
    </li>
  );
}
