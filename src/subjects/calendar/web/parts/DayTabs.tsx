import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { CALENDAR_DAYS, type CalendarDay } from '../../rules/days.ts';
import { tabAfter } from '../../../../../web/ui/tabKeys.ts';
import { shortDate } from '../eventTexts.ts';
import './DayTabs.css';

export const DAY_LABELS: Readonly<Record<CalendarDay, string>> = {
  yesterday: 'Yesterday',
  today: 'Today',
  tomorrow: 'Tomorrow',
};

/** The ids of a day's tab and of what it shows. */
export const tabId = (day: CalendarDay): string => `calendar-tab-${day}`;
export const PANEL_ID = 'calendar-panel';

type DayTabsProps = {
  shown: CalendarDay;
  /** How many events each day has; null while they are on their way. */
  counts: Readonly<Record<CalendarDay, number>> | null;
  /** YYYY-MM-DD. */
  dates: Readonly<Record<CalendarDay, string>>;
  onShow(day: CalendarDay): void;
};

/** Yesterday, Today and Tomorrow, each with its count. The arrows, Home and End go from one to the other. */
export function DayTabs({ shown, counts, dates, onShow }: DayTabsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = CALENDAR_DAYS[tabAfter(event.key, CALENDAR_DAYS.indexOf(shown), CALENDAR_DAYS.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onShow(next);
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
  };
  return (
    <div ref={list} className="day-tabs" role="tablist" aria-label="Day" onKeyDown={onKeyDown}>
      {CALENDAR_DAYS.map((day) => (
        <button
          key={day}
          type="button"
          role="tab"
          id={tabId(day)}
          className="day-tab"
          aria-selected={day === shown}
          aria-controls={PANEL_ID}
          tabIndex={day === shown ? 0 : -1}
          onClick={() => onShow(day)}
        >
          {DAY_LABELS[day]} <span className="day-count">{counts?.[day] ?? '–'}</span>
          <span className="day-date">{shortDate(dates[day])}</span>
        </button>
      ))}
    </div>
  );
}
