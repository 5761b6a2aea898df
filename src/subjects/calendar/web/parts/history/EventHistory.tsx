import { type ReactNode, useId, useState } from 'react';
import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import { MIN_EARLIER } from '#subjects/calendar/rules/outcomes.ts';
import { isMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { type EventHistory as History, fetchHistory } from '#subjects/calendar/web/api.ts';
import { choices } from '#subjects/calendar/web/choices.ts';
import { Averages } from './Averages.tsx';
import './EventHistory.css';
import { HistoryPicture } from './HistoryPicture.tsx';
import { HistoryTable } from './HistoryTable.tsx';
import { StockChoice } from './StockChoice.tsx';

const FAILED = 'Earlier figures could not be loaded.';

/** While a move is still to come. */
const LOOK_AGAIN_MS = 30_000;

const hasPending = ({ releases }: History): boolean =>
  releases.some(({ after5, after30 }) => after5?.state === 'pending' || after30?.state === 'pending');

type EventHistoryProps = { event: CalendarEvent; zone: string };

/** What earlier figures of an event were, how they surprised, and what the market did. Loaded when its row is opened. */
export function EventHistory({ event, zone }: EventHistoryProps): ReactNode {
  const headingId = useId();
  const { stock } = choices.value;
  const [isPending, setPending] = useState(false);
  const { data, error, problem, isLoading, isCurrent, reload } = useLoaded(
    () => fetchHistory(event.id, stock),
    FAILED,
    {
      of: `${event.id} ${stock ?? ''}`,
      again: event.actual,
      everyMs: isPending ? LOOK_AGAIN_MS : undefined,
    },
  );
  if (data !== null && isPending !== hasPending(data)) setPending(!isPending);
  // The event went meanwhile, or the server knows only what the specification names.
  if (data === null && isMissing(problem)) return null;
  return (
    <section className="event-history stack" aria-labelledby={headingId} aria-busy={isLoading}>
      <h2 id={headingId}>Earlier figures</h2>
      {error !== null && (
        <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>{error}</Banner>
      )}
      {data === null && error === null && <SkeletonRows rows={12} label="Loading earlier figures…" />}
      {data !== null && (
        <div className="stack" data-old={!isCurrent || undefined}>
          <Known history={data} zone={zone} />
        </div>
      )}
    </section>
  );
}

function Known({ history, zone }: { history: History; zone: string }): ReactNode {
  const { releases, note } = history;
  if (releases.length === 0) {
    return (
      <p className="muted">{note ?? 'Nothing is remembered yet: this is the first figure seen here.'}</p>
    );
  }
  return (
    <>
      <HistoryPicture history={history} zone={zone} />
      <HistoryTable history={history} zone={zone} />
      <Averages history={history} />
      <StockChoice />
      <p className="muted event-history-note">{noteOf(history)}</p>
    </>
  );
}

/** How the numbers are to be read. */
function noteOf({ releases, remembered, simulated, note }: History): string {
  const shown =
    remembered > releases.length ? `The last ${releases.length} of ${remembered} remembered. ` : '';
  const hasSpread = releases.some(({ surprise }) => surprise !== null && surprise.sigma !== null);
  const sigma = hasSpread
    ? 'σ: the surprise in standard deviations of the earlier ones. '
    : `σ is shown from ${MIN_EARLIER} earlier surprises on. `;
  const market =
    'Market: the 50 largest stocks, weighted by market cap, from the last price before the release.';
  return `${shown}${sigma}${market}${note === null ? '' : ` ${note}`}${simulated ? ' These figures are simulated.' : ''}`;
}
