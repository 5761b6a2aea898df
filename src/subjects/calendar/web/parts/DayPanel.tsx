import type { ReactNode } from 'react';
import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import { type CalendarDay, dayReader, CALENDAR_DAYS } from '#subjects/calendar/rules/days.ts';
import { formatDate } from '#texts/format.ts';
import { calendarEvents } from '#web/live/market.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { TabList, TabPanel } from '#ui/TabList.tsx';
import { daysOf } from '../calendarDays.ts';
import { bringsFigures, type CalendarState, isSwitchedOff, source } from '../calendarSource.ts';
import { choices, choose } from '../choices.ts';
import { EventTable } from './EventTable.tsx';
import { shortDate } from '../eventTexts.ts';
import './DayPanel.css';

export const DAY_LABELS: Readonly<Record<CalendarDay, string>> = {
  yesterday: 'Yesterday',
  today: 'Today',
  tomorrow: 'Tomorrow',
};

const LIST = 'calendar';

type DayTabsProps = {
  shown: CalendarDay;
  /** How many events each day has; null while they are on their way. */
  counts: Readonly<Record<CalendarDay, number>> | null;
  /** YYYY-MM-DD. */
  dates: Readonly<Record<CalendarDay, string>>;
  onShow(day: CalendarDay): void;
};

/** Yesterday, Today and Tomorrow, each with its count. */
export function DayTabs({ shown, counts, dates, onShow }: DayTabsProps): ReactNode {
  return (
    <div className="day-tabs">
      <TabList id={LIST} label="Day" tabs={CALENDAR_DAYS} shown={shown} onShow={onShow}>
        {(day) => (
          <>
            {DAY_LABELS[day]} <span className="day-count">{counts?.[day] ?? '–'}</span>
            <span className="day-date">{shortDate(dates[day])}</span>
          </>
        )}
      </TabList>
    </div>
  );
}

const SKELETON_ROWS = 14;

type DayPanelProps = {
  day: CalendarDay;
  /** What a screen reader calls the table. */
  label: string;
  /** YYYY-MM-DD. */
  date: string;
  state: CalendarState;
  events: readonly CalendarEvent[];
  /** A moment that stands for now (`useCalendarMoment`). */
  moment: number;
  next: CalendarEvent | null;
};

/** The events of the day whose tab is chosen, or why there are none. */
export function DayPanel(props: DayPanelProps): ReactNode {
  return (
    <TabPanel list={LIST} shown={props.day} className="calendar-panel">
      <Content {...props} />
    </TabPanel>
  );
}

function Content({ day, label, date, state, events, moment, next }: DayPanelProps): ReactNode {
  if (state === 'loading') return <SkeletonRows rows={SKELETON_ROWS} label="Loading the calendar…" />;
  if (state === 'failed') {
    return (
      <EmptyState detail="They appear as soon as the source answers.">
        The events are not here yet.
      </EmptyState>
    );
  }
  if (events.length === 0) return <NoItems day={day} date={date} moment={moment} />;
  return (
    <EventTable
      key={day}
      label={label}
      events={events}
      zone={choices.value.zone}
      moment={moment}
      next={next}
      bringsFigures={bringsFigures(source.value?.label ?? null)}
    />
  );
}

/** How many events of a day the choices hide. */
function hiddenCount(day: CalendarDay, moment: number): number {
  const everything = { ...choices.value, currency: 'ALL', impact: 'ALL' } as const;
  return daysOf(calendarEvents.value.values(), everything, dayReader(everything.zone, moment))[day].length;
}

function NoItems({ day, date, moment }: Pick<DayPanelProps, 'day' | 'date' | 'moment'>): ReactNode {
  if (isSwitchedOff.value && calendarEvents.value.size === 0) {
    return (
      <EmptyState detail="The economic calendar is off on this server. The administrator can choose a source with BELLBIRD_CALENDAR.">
        No items.
      </EmptyState>
    );
  }
  const hidden = hiddenCount(day, moment);
  return (
    <EmptyState
      detail={hidden === 0 ? formatDate(date) : `${formatDate(date)} · ${hiddenText(hidden)}`}
      action={
        hidden > 0 && <Button onClick={() => choose({ currency: 'ALL', impact: 'ALL' })}>Show all</Button>
      }
    >
      No items.
    </EmptyState>
  );
}

const hiddenText = (count: number): string =>
  count === 1 ? '1 event hidden by your choices' : `${count} events hidden by your choices`;
