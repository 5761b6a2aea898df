import { Fragment, memo, type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import { datesIn, isPast, isUnderWay, timeOf } from '#subjects/calendar/rules/days.ts';
import { canBeTold, hasFigure } from '#subjects/calendar/rules/reminders.ts';
import { idOfRow, rowOf, usePendingFocus } from '#ui/table/rowFocus.ts';
import { useActiveRow, usePageKeys } from '#ui/table/useActiveRow.ts';
import { useOpenRows } from '#ui/table/useOpenRows.ts';
import { useReveal } from '#ui/table/useReveal.ts';
import { useRowKeys } from '#ui/table/useRowKeys.ts';
import { timesIn } from '../eventTexts.ts';
import { reminders } from '../reminders.ts';
import { EventPanel } from './EventPanel.tsx';
import { EventRow } from './EventRow.tsx';
import './EventTable.css';

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
  /** What a screen reader calls the table. */
  label: string;
  events: readonly CalendarEvent[];
  zone: string;
  /** A moment that stands for now (`useCalendarMoment`). */
  moment: number;
  /** Of the event that comes next; null for none. */
  next: CalendarEvent | null;
  bringsFigures: boolean;
};

const nothing = () => undefined;

/** The events of a day, in their order, each with a panel that opens under its line. */
export function EventTable(props: EventTableProps): ReactNode {
  const { label, events, next } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => events.map(({ id }) => id), [events]);
  const { open: openIds, toggle } = useOpenRows(undefined);
  const active = useActiveRow(ids, null);
  const { move, leave } = active;
  usePendingFocus(active.pendingFocus, active.id, scroller);
  useReveal(scroller, { ids, open: openIds, requested: active.granted });
  usePageKeys(true, move, nothing);
  const onKeyDown = useRowKeys({ activeId: active.id, openIds, move, toggle, leave });
  useNextInSight(scroller, next);
  return (
    <div className="event-scroll" ref={scroller}>
      <table role="grid" className="event-table" aria-label={label} aria-rowcount={events.length + 1}>
        <Head />
        <tbody role="rowgroup" onKeyDown={onKeyDown} onFocus={active.onFocus} onClick={toggleClicked(toggle)}>
          <Rows {...props} openIds={openIds} reachableId={active.id ?? ids[0]} />
        </tbody>
      </table>
    </div>
  );
}

type RowsProps = EventTableProps & {
  openIds: ReadonlySet<string>;
  /** Of the row that can be reached by Tab. */
  reachableId: string | undefined;
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
    const isOffered = canBeTold({ before: true, figure: bringsFigures }, event, moment);
    return (
      <Fragment key={id}>
        <EventRow
          event={event}
          rowIndex={index + 2}
          time={timeText(event)}
          isPast={isOver}
          underWay={underWayText(event, moment, bringsFigures)}
          isNext={!event.isAllDay && !isOver && timeOf(event) === nextTime}
          hasCountdown={id === next?.id}
          isOpen={openIds.has(id)}
          inTabOrder={id === props.reachableId}
          isOffered={isOffered}
          reminder={chosen?.get(id)}
        />
        {openIds.has(id) && (
          <tr role="row" className="event-detail" data-detail={id}>
            <td role="gridcell" className="event-detail-cell" colSpan={COLUMNS.length}>
              <EventPanel
                event={event}
                zone={zone}
                moment={moment}
                isOffered={isOffered}
                bringsFigures={bringsFigures}
                isPast={isOver}
              />
            </td>
          </tr>
        )}
      </Fragment>
    );
  });
}

/** What is said of an event of HIGH impact from its time on, until its figure is there; null for any other. */
function underWayText(event: CalendarEvent, moment: number, bringsFigures: boolean): string | null {
  if (!isUnderWay(event, moment)) return null;
  return bringsFigures && hasFigure(event) ? 'Awaiting figure' : 'Under way';
}

const Head = memo(function Head(): ReactNode {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {COLUMNS.map(([name, look]) => (
          <th key={name} role="columnheader" scope="col" className={look}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
});

/** A click on a line opens its panel, unless it ends a selection of text; on a line's button always, which ends none. */
const toggleClicked = (toggle: (id: string) => void) => (event: MouseEvent) => {
  if (!(event.target instanceof Element) || event.target.closest('[data-detail]') !== null) return;
  const id = idOfRow(event.target);
  const endsSelection =
    window.getSelection()?.isCollapsed === false && event.target.closest('button') === null;
  if (id !== null && !endsSelection) toggle(id);
};

/** Brings the next event into sight, once: when its day is shown first. */
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
