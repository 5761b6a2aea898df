import {
  type ComponentProps,
  type ReactNode,
  Fragment,
  memo,
  type MouseEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import {
  type CalendarDay,
  dayReader,
  CALENDAR_DAYS,
  datesIn,
  isAwaited,
  isPast,
  isUnderWay,
  timeOf,
} from '#market/calendar/rules/days.ts';
import { formatDate } from '#texts/format.ts';
import { calendarEvents } from '#web/live/market.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { TabList, TabPanel } from '#ui/TabList.tsx';
import {
  daysOf,
  bringsFigures,
  type CalendarState,
  isSwitchedOff,
  source,
  choices,
  choose,
} from '../calendarState.ts';
import { shortDate, timesIn } from '../eventTexts.ts';
import { canBeNotified } from '#subjects/calendar/rules/reminderMessage.ts';
import { idOfRow, rowOf, usePendingFocus } from '#ui/table/rowFocus.ts';
import { useActiveRow, usePageKeys } from '#ui/table/useActiveRow.ts';
import { useOpenRows } from '#ui/table/useOpenRows.ts';
import { useReveal } from '#ui/table/useReveal.ts';
import { useRowKeys } from '#ui/table/rowKeys.ts';
import { type Offer, remind, reminders } from '../reminders.ts';
import type { CalendarRow } from '../companyEvents.ts';
import { CompanyPanel } from './CompanyPanel.tsx';
import { EventPanel } from './EventPanel.tsx';
import { EventRow } from './EventRow.tsx';

const COLUMNS = [
  ['Time', ''],
  ['Ctry', ''],
  ['Cur', ''],
  ['Event', ''],
  ['Period', ''],
  ['Actual', 'is-figure'],
  ['Consensus', 'is-figure'],
  ['Previous', 'is-figure'],
  ['Impact', ''],
  ['Type', ''],
] as const;

type EventTableProps = {
  label: string;
  events: readonly CalendarRow[];
  zone: string;
  /** Current time (`useCalendarMoment`). */
  moment: number;
  next: CalendarEvent | null;
  bringsFigures: boolean;
};

function EventTable(props: EventTableProps): ReactNode {
  const { label, events, next } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => events.map(({ id }) => id), [events]);
  const { open: openIds, toggle } = useOpenRows(undefined);
  const entry = next !== null && ids.includes(next.id) ? next.id : null;
  const active = useActiveRow(ids, null, entry);
  const { move, leave } = active;
  usePendingFocus(active.pendingFocus, active.id, scroller);
  useReveal(scroller, { ids, open: openIds, requested: active.granted });
  usePageKeys(true, move, () => undefined);
  const onKeyDown = useRowKeys({ activeId: active.id, openIds, move, toggle, leave });
  useNextInSight(scroller, next);
  const opened = useRef(openIds);
  useEffect(() => {
    opened.current = openIds;
  }, [openIds]);
  const onRemind = useCallback(
    (event: CalendarEvent, offer: Offer) => {
      const open = () => {
        if (!opened.current.has(event.id)) toggle(event.id);
      };
      // What is not loaded could be overwritten; the open row says why it is missing.
      if (reminders.peek() === null) open();
      else void remind(event, offer, opened.current.has(event.id) ? null : open);
    },
    [toggle],
  );
  return (
    <div className="event-scroll" ref={scroller}>
      <table role="grid" className="event-table" aria-label={label} aria-rowcount={events.length + 1}>
        <Head />
        <tbody role="rowgroup" onKeyDown={onKeyDown} onFocus={active.onFocus} onClick={toggleClicked(toggle)}>
          <Rows {...props} openIds={openIds} reachableId={active.id ?? entry ?? ids[0]} onRemind={onRemind} />
        </tbody>
      </table>
    </div>
  );
}

type RowsProps = EventTableProps & {
  openIds: ReadonlySet<string>;
  /** Id of the row that the Tab key can reach. */
  reachableId: string | undefined;
  onRemind: ComponentProps<typeof EventRow>['onRemind'];
};

function Rows(props: RowsProps): ReactNode {
  const { events, zone, moment, next, bringsFigures, openIds } = props;
  const timeText = useMemo(() => timesIn(zone), [zone]);
  const today = useMemo(() => datesIn(zone)(moment), [zone, moment]);
  const chosen = reminders.value;
  const nextTime = next === null ? null : timeOf(next);
  return events.map((event, index) => {
    const { id } = event;
    const isOver = isPast(event, today, moment);
    const isLate = bringsFigures && isAwaited(event, moment);
    const offer = event.company ? null : offerOf(event, moment, bringsFigures);
    return (
      <Fragment key={id}>
        <EventRow
          event={event}
          rowIndex={index + 2}
          time={timeText(event)}
          isPast={isOver}
          isAwaited={isLate}
          isUnderWay={isUnderWay(event, moment)}
          isNext={!event.company && !event.isAllDay && !isOver && timeOf(event) === nextTime}
          hasCountdown={id === next?.id}
          isOpen={openIds.has(id)}
          inTabOrder={id === props.reachableId}
          offer={offer}
          reminder={chosen?.get(id)}
          onRemind={props.onRemind}
        />
        {openIds.has(id) && (
          <tr role="row" className="event-detail" data-detail={id}>
            <td role="gridcell" className="event-detail-cell" colSpan={COLUMNS.length}>
              {event.company ? (
                <CompanyPanel company={event.company} />
              ) : (
                <EventPanel
                  event={event}
                  zone={zone}
                  moment={moment}
                  isOffered={offer !== null}
                  bringsFigures={bringsFigures}
                  isPast={isOver && !isLate}
                />
              )}
            </td>
          </tr>
        )}
      </Fragment>
    );
  });
}

/** The reminder that can be set: five minutes before, or for the figure once the event has begun. */
function offerOf(event: CalendarEvent, moment: number, bringsFigures: boolean): Offer | null {
  if (canBeNotified({ before: true, figure: false }, event, moment)) return 'before';
  return bringsFigures && canBeNotified({ before: false, figure: true }, event, moment) ? 'figure' : null;
}

const Head = memo(function Head(): ReactNode {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {COLUMNS.map(([name, className]) => (
          <th key={name} role="columnheader" scope="col" className={className}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
});

/** Toggles a row's panel unless the click ends a text selection. A click on its button always toggles. */
const toggleClicked = (toggle: (id: string) => void) => (event: MouseEvent) => {
  if (!(event.target instanceof Element) || event.target.closest('[data-detail]') !== null) return;
  const id = idOfRow(event.target);
  const endsSelection =
    window.getSelection()?.isCollapsed === false && event.target.closest('button') === null;
  if (id !== null && !endsSelection) toggle(id);
};

/** Scrolls to the next event once, when its day is first shown. */
function useNextInSight(scroller: { current: HTMLElement | null }, next: CalendarEvent | null): void {
  const isDone = useRef(false);
  const id = next?.id ?? null;
  useEffect(() => {
    const row = id === null || isDone.current ? null : rowOf(scroller.current, id);
    if (row === null) return;
    isDone.current = true;
    const box = row.getBoundingClientRect();
    if (box.bottom > window.innerHeight) row.scrollIntoView({ block: 'center' });
  }, [id, scroller]);
}

export const DAY_LABELS: Readonly<Record<CalendarDay, string>> = {
  yesterday: 'Yesterday',
  today: 'Today',
  tomorrow: 'Tomorrow',
};

const LIST = 'calendar';

type DayTabsProps = {
  shown: CalendarDay;
  /** Events per day; null while loading. */
  counts: Readonly<Record<CalendarDay, number>> | null;
  /** YYYY-MM-DD. */
  dates: Readonly<Record<CalendarDay, string>>;
  onShow(day: CalendarDay): void;
};

export function DayTabs({ shown, counts, dates, onShow }: DayTabsProps): ReactNode {
  return (
    <div className="day-tabs">
      <TabList id={LIST} label="Day" tabs={CALENDAR_DAYS} shown={shown} onShow={onShow}>
        {(day) => (
          <>
            {DAY_LABELS[day]} <span className="day-count small on-raised">{counts?.[day] ?? '–'}</span>
            <span className="day-date muted small">{shortDate(dates[day])}</span>
          </>
        )}
      </TabList>
    </div>
  );
}

const SKELETON_ROWS = 14;

type DayPanelProps = {
  day: CalendarDay;
  label: string;
  /** YYYY-MM-DD. */
  date: string;
  state: CalendarState;
  events: readonly CalendarRow[];
  /** Current time (`useCalendarMoment`). */
  moment: number;
  next: CalendarEvent | null;
};

export function DayPanel(props: DayPanelProps): ReactNode {
  return (
    <TabPanel list={LIST} shown={props.day} className="stack gap-0 grow min-h-0">
      <Content {...props} />
    </TabPanel>
  );
}

function Content({ day, label, date, state, events, moment, next }: DayPanelProps): ReactNode {
  if (state === 'loading') return <SkeletonRows rows={SKELETON_ROWS} label="Loading the calendar…" />;
  if (state === 'failed') {
    return (
      <EmptyState detail="They appear when the source responds.">The events have not arrived yet.</EmptyState>
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

/** Number of a day's events that the choices hide. */
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
  count === 1 ? '1 event hidden by your filters' : `${count} events hidden by your filters`;
