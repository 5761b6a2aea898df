import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { formatShortDate, formatTime } from '#texts/format.ts';

/** Day and time in Sydney, in a sentence: '19 Nov 16:31'. Both epoch ms. */
export const dayText = (time: number, now: number): string =>
  `${formatShortDate(sydneyDate(time), sydneyDate(now))} ${formatTime(time)}`;

/** The same, without the day where that is today's: '16:31'. */
export const sinceText = (time: number, now: number): string =>
  sydneyDate(time) === sydneyDate(now) ? formatTime(time) : dayText(time, now);
