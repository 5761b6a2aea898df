import type { ReactNode } from 'react';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { formatFigure } from '#subjects/calendar/rules/figures.ts';
import { formatTime } from '#texts/format.ts';
import { Tooltip } from '#ui/Tooltip.tsx';
import { Countdown } from './Countdown.tsx';
import './calendar.css';

/** '10:30 Sydney: CPI. Consensus 3.0%, previous 2.9%' */
export function soonText(event: CalendarEvent): string {
  const figures = [
    event.consensus !== null && `consensus ${formatFigure(event.consensus, event)}`,
    event.previous !== null && `previous ${formatFigure(event.revised ?? event.previous, event)}`,
  ].filter(Boolean);
  const ahead = figures.length === 0 ? '' : ` (${figures.join(', ')})`;
  return `${formatTime(event.dateUtc)} Sydney: ${event.name}${ahead}`;
}

type SoonNoteProps = {
  /** HIGH impact, AUD, within the hour; at least one. In their order. */
  events: readonly CalendarEvent[];
  /** Where a click leads; null for nowhere. */
  to: string | null;
};

/** Names the events that will move the market soon: the first by name with its countdown, all of them in the tooltip. */
export function SoonNote({ events, to }: SoonNoteProps): ReactNode {
  const [first] = events;
  const until = first && timeOf(first);
  if (first === undefined || until === null || until === undefined) return null;
  const words = (
    <>
      <span className="flex-none warn-text strong">
        {first.currencyCode} in <Countdown until={until} />
      </span>
      <span className="soon-name ellipsis">{first.name}</span>
      {events.length > 1 && <span className="flex-none muted">+{events.length - 1}</span>}
    </>
  );
  const text = events.map(soonText).join('\n');
  return (
    <span className="soon-tip cluster gap-0 min-w-0">
      <Tooltip text={text}>
        {to === null ? (
          <span className="soon-note cluster min-w-0 small nowrap rounded" role="note">
            {words}
          </span>
        ) : (
          <a className="soon-note cluster min-w-0 small nowrap rounded" href={`#${to}`}>
            {words}
          </a>
        )}
      </Tooltip>
    </span>
  );
}
