import type { ReactNode } from 'react';
import { formatTime } from '#texts/format.ts';
import { type NewsSummary, NO_SUMMARY, releaseText, SUMMARY_CAUTION } from '#market/rules/newsRow.ts';
import { newsRequests, requestsOf, isWebAddress } from './newsRequests.ts';
import type { Announcement } from '#market/rules/stock.ts';
import { Pill } from '#ui/Pill.tsx';
import { computed } from '@preact/signals-react';
import type { ProviderInfo } from '#market/rules/stream.ts';
import { meta } from '#web/live/market.ts';

/** State of the source; undefined if the server omits it, null if announcements are off. */
const source = computed((): ProviderInfo | null | undefined => meta.value?.announcements);

export function NewsSource(): ReactNode {
  const from = source.value;
  if (from === undefined) return null;
  if (from === null) return <p className="news-source">Announcements are switched off on this server.</p>;
  if (from.healthy) return <p className="news-source">Announcements: {from.label}</p>;
  const last = from.lastUpdate === null ? '' : ` Last update ${formatTime(from.lastUpdate)}.`;
  return (
    <p className="news-source is-unhealthy">
      Announcements: {from.label}. {from.problem ?? 'None are arriving.'}
      {last}
    </p>
  );
}

type DocumentLinkProps = { item: Pick<Announcement, 'headline' | 'url'>; className: string };

export function DocumentLink({ item, className }: DocumentLinkProps): ReactNode {
  if (!isWebAddress(item.url)) return <span className={className}>{item.headline}</span>;
  return (
    <a className={className} href={item.url} target="_blank" rel="noopener noreferrer">
      {item.headline}
    </a>
  );
}

type NewsTagProps = { isSensitive?: boolean; children: ReactNode };

export function NewsTag({ isSensitive = false, children }: NewsTagProps): ReactNode {
  return <Pill variant={isSensitive ? 'warn' : 'plain'}>{children}</Pill>;
}

type SummaryCardProps = {
  code: string;
  summary: NewsSummary;
  /** Current Sydney date, YYYY-MM-DD. */
  today: string;
};

/**
 * A model's summary of the news, or its progress. It is shown only as plain text, because it is based on an external
 * document.
 */
export function SummaryCard({ code, summary, today }: SummaryCardProps): ReactNode {
  const { summary: asked } = requestsOf(newsRequests.value, code);
  const text = summary.text ?? (asked?.state === 'told' ? asked.text : null);
  const error = text === null && asked?.state === 'refused' ? asked.error : null;
  const isWaiting = text === null && asked?.state === 'waiting';
  return (
    <div role="group" className="box on-ground pad-2-3" aria-label="Summary" aria-busy={isWaiting}>
      <div aria-live="polite">
        {text === null ? (
          <p className="muted">{isWaiting ? asked.message : NO_SUMMARY}</p>
        ) : (
          <p className="text-lines">{text}</p>
        )}
        {summary.note !== null && !isWaiting && error === null && <p className="muted">{summary.note}</p>}
      </div>
      {error !== null && (
        <p className="down" role="alert">
          {error}
        </p>
      )}
      {text !== null && <Origin summary={summary} today={today} />}
    </div>
  );
}

function Origin({ summary, today }: Omit<SummaryCardProps, 'code'>): ReactNode {
  const { generatedAt, of } = summary;
  return (
    <footer className="row gap-0-3 muted small">
      {generatedAt !== null && <NewsTag>Generated {formatTime(generatedAt)}</NewsTag>}
      {of !== null && (
        <span>
          Of <DocumentLink item={of} className="summary-of" />,{' '}
          <time dateTime={of.time}>{releaseText(of.time, today)}</time>
        </span>
      )}
      <span>{SUMMARY_CAUTION}</span>
    </footer>
  );
}
