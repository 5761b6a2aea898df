import type { ReactNode } from 'react';
import type { NewsItem } from '../../../../market/rules/announcements.ts';
import { releaseText } from '../../../../market/rules/newsRow.ts';
import './Announcement.css';
import { DocumentLink } from './DocumentLink.tsx';
import { NewsTag } from './NewsTag.tsx';

type AnnouncementProps = {
  item: NewsItem;
  /** The day that needs no date, YYYY-MM-DD in Sydney. */
  date: string;
};

/** One announcement: when it was released, its headline (a link when it has an address), its types and its tags. */
export function Announcement({ item, date }: AnnouncementProps): ReactNode {
  // Some sources call a kind of report as its headline does.
  const types = item.announcementTypes.filter((type) => type !== item.headline);
  return (
    <li className="announcement">
      <time className="announcement-time" dateTime={item.time}>
        {releaseText(item.time, date)}
      </time>
      <DocumentLink item={item} className="announcement-headline" />
      {item.isPriceSensitive && <NewsTag isSensitive>Price Sensitive</NewsTag>}
      {item.previousDay && <NewsTag>Prev Day</NewsTag>}
      {types.length > 0 && <span className="announcement-types">{types.join(', ')}</span>}
    </li>
  );
}
