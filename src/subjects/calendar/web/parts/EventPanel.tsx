import { type ReactNode, useEffect, useId } from 'react';
import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import { timeOf } from '#subjects/calendar/rules/days.ts';
import { canBeTold, hasFigure } from '#subjects/calendar/rules/reminders.ts';
import { formatExactFigure } from '#subjects/calendar/rules/figures.ts';
import { surpriseOf, SURPRISES } from '#subjects/calendar/rules/surprise.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { FormError } from '#ui/FormError.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { momentText } from '../eventTexts.ts';
import {
  hasNoChat,
  loadReminders,
  lookForChat,
  NO_REMINDER,
  reminderErrors,
  reminders,
  remindersError,
  chooseReminder,
} from '../reminders.ts';
import { zoneOffset } from '../timeZones.ts';
import { zoneLabel } from '#web/shared/zoneNames.ts';
import { EventHistory } from './history/EventHistory.tsx';
import './EventPanel.css';

type EventPanelProps = {
  event: CalendarEvent;
  zone: string;
  /** A moment that stands for now (`useCalendarMoment`). */
  moment: number;
  isPast: boolean;
  /** Whether the user may ask to be told of it. */
  isOffered: boolean;
  /** Whether the source brings figures at all. */
  bringsFigures: boolean;
};

/** What there is to say of an event beyond its line, and of what the user is told about it. */
export function EventPanel({
  event,
  zone,
  moment,
  isPast,
  isOffered,
  bringsFigures,
}: EventPanelProps): ReactNode {
  return (
    <div className="event-panel" role="region" aria-label={event.name}>
      <Facts event={event} zone={zone} />
      {isOffered ? (
        <ReminderToggles event={event} moment={moment} bringsFigures={bringsFigures} />
      ) : (
        isPast && <p className="muted">This event is over.</p>
      )}
      {hasFigure(event) && bringsFigures && <EventHistory event={event} zone={zone} />}
    </div>
  );
}

function Facts({ event, zone }: { event: CalendarEvent; zone: string }): ReactNode {
  const time = timeOf(event);
  const surprise = surpriseOf(event);
  const figures = (['actual', 'consensus', 'previous', 'revised'] as const).filter(
    (name) => event[name] !== null,
  );
  return (
    <dl>
      {time !== null && (
        <>
          <dt>When</dt>
          <dd>{event.isAllDay ? 'All day' : whenText(event, time, zone)}</dd>
        </>
      )}
      {figures.map((name) => (
        <Figure key={name} label={FIGURE_LABELS[name]} text={formatExactFigure(event[name], event)} />
      ))}
      {surprise !== null && <Figure label="Result" text={SURPRISES[surprise].text} />}
    </dl>
  );
}

const FIGURE_LABELS = {
  actual: 'Actual',
  consensus: 'Consensus',
  previous: 'Previous',
  revised: 'Previous, revised',
} as const;

const Figure = ({ label, text }: { label: string; text: string }): ReactNode => (
  <>
    <dt>{label}</dt>
    <dd>{text}</dd>
  </>
);

const whenText = ({ isTentative }: CalendarEvent, time: number, zone: string): string =>
  `${momentText(time, zone)} ${zoneLabel(zone)} (${zoneOffset(zone, time)})${isTentative ? ', not confirmed' : ''}`;

type ReminderTogglesProps = Pick<EventPanelProps, 'event' | 'moment' | 'bringsFigures'>;

/** Where the user chooses what to be told. */
function ReminderToggles(props: ReminderTogglesProps): ReactNode {
  const noteId = useId();
  const loadError = remindersError.value;
  useEffect(() => void lookForChat(), []);
  const describedBy = hasNoChat.value ? noteId : undefined;
  if (loadError !== null) {
    return <Banner action={<Button onClick={() => void loadReminders()}>Retry</Button>}>{loadError}</Banner>;
  }
  return (
    <div className="event-reminders">
      <Choices {...props} describedBy={describedBy} />
      {!props.bringsFigures && hasFigure(props.event) && (
        <p className="muted">This source has no actual figures.</p>
      )}
      <FormError>{reminderErrors.value.get(props.event.id) ?? null}</FormError>
      {describedBy && (
        <p className="muted" id={noteId} role="status">
          No chat or device gets reminders yet: add one in <a href={`#${SETTINGS_PATH}`}>Settings</a>.
        </p>
      )}
    </div>
  );
}

type ChoicesProps = ReminderTogglesProps & { describedBy: string | undefined };

/** A switch for each thing that can still be told. */
function Choices({ event, moment, bringsFigures, describedBy }: ChoicesProps): ReactNode {
  const { id, name } = event;
  const known = reminders.value;
  const chosen = known?.get(id) ?? NO_REMINDER;
  const isAhead = canBeTold({ before: true, figure: false }, event, moment);
  // What can't be told any more is not asked for again with the other.
  const kept = isAhead ? {} : { before: false };
  const common = { disabled: known === null, describedBy };
  return (
    <>
      {isAhead && (
        <Toggle
          {...common}
          label="Alert me 5 minutes before"
          name={`Alert me 5 minutes before: ${name}`}
          checked={chosen.before}
          onChange={(before) => chooseReminder(id, { before })}
        />
      )}
      {bringsFigures && canBeTold({ before: false, figure: true }, event, moment) && (
        <Toggle
          {...common}
          label="Alert me when the figure is out"
          name={`Alert me when the figure is out: ${name}`}
          checked={chosen.figure}
          onChange={(figure) => chooseReminder(id, { ...kept, figure })}
        />
      )}
    </>
  );
}
