import BellIcon from 'lucide-react/icons/bell';
import BellRingIcon from 'lucide-react/icons/bell-ring';
import ChevronIcon from 'lucide-react/icons/chevron-right';
import { memo, type ReactNode } from 'react';
import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import { timeOf } from '#subjects/calendar/rules/days.ts';
import { hasFigure } from '#subjects/calendar/rules/reminders.ts';
import { DASH } from '#texts/format.ts';
import { periodText, typeText } from '../eventTexts.ts';
import type { ReminderChoice } from '../api.ts';
import { Countdown } from '../shared/Countdown.tsx';
import { Flag } from './Flag.tsx';
import { ActualCell, ConsensusCell, PreviousCell } from './figures.tsx';
import { ImpactMark } from './ImpactMark.tsx';

export type EventRowProps = {
  event: CalendarEvent;
  /** Of the row in the table, from 1. */
  rowIndex: number;
  /** Its time of day in the chosen zone. */
  time: string;
  isPast: boolean;
  /** Said of an event that has begun and is not over; null for others. */
  underWay: string | null;
  /** Of the events to come the first, or at the same time as it. */
  isNext: boolean;
  /** Says how long it is until then. */
  hasCountdown: boolean;
  isOpen: boolean;
  /** Its links and buttons can be reached by Tab. */
  inTabOrder: boolean;
  /** Whether the user may ask to be told of it. */
  isOffered: boolean;
  /** Undefined when nothing was asked for. */
  reminder: ReminderChoice | undefined;
};

const PlaceCells = ({ event: { countryCode, currencyCode } }: { event: CalendarEvent }): ReactNode => (
  <>
    <td role="gridcell" className="cal-country">
      <Flag country={countryCode} /> {countryCode || DASH}
    </td>
    <td role="gridcell" className="cal-currency">
      {currencyCode || DASH}
    </td>
  </>
);

/** An event's line; drawn again only when something of it changed. */
export const EventRow = memo(function EventRow(props: EventRowProps): ReactNode {
  const { event, isPast, isNext, underWay } = props;
  return (
    <tr
      role="row"
      className="event-row"
      data-id={event.id}
      data-past={(isPast && underWay === null) || undefined}
      data-next={isNext || underWay !== null || undefined}
      data-open={props.isOpen || undefined}
      data-plain={isPlain(event) || undefined}
      aria-rowindex={props.rowIndex}
      tabIndex={props.inTabOrder ? 0 : -1}
    >
      <td role="gridcell" className="cal-time">
        <TimeText text={props.time} />
      </td>
      <PlaceCells event={event} />
      <th role="rowheader" scope="row" className="cal-event">
        <EventName {...props} />
      </th>
      <td role="gridcell" className="cal-period">
        {periodText(event)}
      </td>
      <ActualCell event={event} />
      <ConsensusCell event={event} />
      <PreviousCell event={event} />
      <td role="gridcell" className="cal-impact">
        <ImpactMark impact={event.volatility} />
      </td>
      <td role="gridcell" className="cal-type">
        {typeText(event)}
      </td>
    </tr>
  );
});

/** Without any figure, as speeches and holidays are. */
const isPlain = (event: CalendarEvent): boolean =>
  !hasFigure(event) && event.actual === null && event.consensus === null && event.previous === null;

/** '~10:30' is read out as what it means. */
function TimeText({ text }: { text: string }): ReactNode {
  if (!text.startsWith('~')) return text;
  return (
    <span title="Time not confirmed">
      <span aria-hidden="true">~</span>
      <span className="visually-hidden">about </span>
      {text.slice(1)}
    </span>
  );
}

function EventName({ event, isNext, hasCountdown, isOffered, ...row }: EventRowProps): ReactNode {
  const until = timeOf(event);
  return (
    <span className="event-name">
      <span className="event-title">{event.name}</span>
      {row.underWay !== null && <span className="event-next">{row.underWay}</span>}
      {isNext && (
        <span className="event-next">
          Next{hasCountdown && until !== null && ' in '}
          {hasCountdown && until !== null && <Countdown until={until} />}
        </span>
      )}
      <button
        type="button"
        className="event-button"
        aria-expanded={row.isOpen}
        aria-label={isOffered ? remindersOf(event, row.reminder) : `Details of ${event.name}`}
        title={isOffered ? 'Reminders' : 'Details'}
        tabIndex={row.inTabOrder ? 0 : -1}
      >
        {isOffered ? <Bell reminder={row.reminder} /> : <ChevronIcon size={15} aria-hidden />}
      </button>
    </span>
  );
}

const isAsked = (reminder: ReminderChoice | undefined): boolean =>
  reminder !== undefined && (reminder.before || reminder.figure);

const remindersOf = (event: CalendarEvent, reminder: ReminderChoice | undefined): string =>
  isAsked(reminder) ? `Reminders of ${event.name}, set` : `Reminders of ${event.name}`;

const Bell = ({ reminder }: { reminder: ReminderChoice | undefined }): ReactNode =>
  isAsked(reminder) ? (
    <BellRingIcon size={15} className="bell-set" aria-hidden />
  ) : (
    <BellIcon size={15} aria-hidden />
  );
