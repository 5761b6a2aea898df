import { TickMarkType } from 'lightweight-charts';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { isDated } from '../axisTime.ts';

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', hourCycle: 'h23', ...options });

const time = format({ hour: '2-digit', minute: '2-digit' });
const day = format({ day: 'numeric', month: 'short' });
const weekday = format({ weekday: 'short', day: 'numeric', month: 'short' });
const month = format({ month: 'short' });
const monthOfYear = format({ month: 'long', year: 'numeric' });
const year = format({ year: 'numeric' });
const whole = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** A mark of the time axis. @param seconds Sydney's time as if it were UTC @param type of the library: the first of all counts as that of a year */
export function tickText(seconds: number, type: number, tf: ChartTimeframe): string {
  const at = seconds * 1000;
  if (!isDated(tf)) return type <= TickMarkType.DayOfMonth ? day.format(at) : time.format(at);
  if (type === TickMarkType.Year) return year.format(at);
  if (type === TickMarkType.Month) return month.format(at);
  return day.format(at);
}

/** The label of the crosshair on the time axis. @param seconds as of `tickText` */
export function axisTimeText(seconds: number, tf: ChartTimeframe): string {
  const at = seconds * 1000;
  if (tf === 'M') return monthOfYear.format(at);
  return (isDated(tf) ? whole.format(at) : `${weekday.format(at)} ${time.format(at)}`).replaceAll(',', '');
}
