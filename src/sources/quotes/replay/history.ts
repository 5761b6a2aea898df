import type { DailyBar, MinuteBar } from '#market/rules/bar.ts';
import { addDays, fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import type { Clock } from '#lib/clock.ts';
import type { Recording } from '#market/recording/types.ts';
import type { History } from '../history.ts';

function dayOf(date: string, minutes: readonly MinuteBar[]): DailyBar | null {
  const [first] = minutes;
  const last = minutes.at(-1);
  if (!first || !last) return null;
  return {
    date,
    open: first.open,
    high: Math.max(...minutes.map(({ high }) => high)),
    low: Math.min(...minutes.map(({ low }) => low)),
    close: last.close,
    volume: minutes.reduce((sum, { volume }) => sum + volume, 0),
  };
}

/**
 * The past of a market that is played from a recording: its minutes up to the clock's present moment, and the days that they
 * make up. Nothing is known of before the recording.
 */
export function recordedHistory(
  { minutes: minutesOf, day, ...recording }: Pick<Recording, 'head' | 'minutes' | 'from' | 'until' | 'day'>,
  clock: Clock,
): History {
  const firstDate = recording.head.date;
  const lastDate = sydneyDate(recording.until);

  function minutes(code: string, date: string): readonly MinuteBar[] {
    if (date < firstDate || date > lastDate) return [];
    const from = fromSydney(date, 0, 0);
    const until = fromSydney(addDays(date, 1), 0, 0);
    return minutesOf(code, Math.min(until, clock.now())).filter(({ time }) => time >= from);
  }

  return {
    isDeep: true,
    firstDate,
    recordedFrom: recording.from,
    ...(day && {
      session: {
        of: (code) => day.session(code, clock.now()),
        isAtHand: () => day.readUntil() >= clock.now(),
        readOn: () => void day.readOn(),
      },
    }),
    eachMinute(code, date, visit) {
      for (const bar of minutes(code, date)) visit(bar);
    },
    eachDay(code, until, count, visit) {
      const days: DailyBar[] = [];
      let date = until < lastDate ? until : lastDate;
      for (; date >= firstDate && days.length < count; date = addDays(date, -1)) {
        const day = dayOf(date, minutes(code, date));
        if (day) days.unshift(day);
      }
      for (const day of days) visit(day);
    },
  };
}
