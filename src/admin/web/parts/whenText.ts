import { serverNow } from '#web/live/market.ts';
import { formatShortDate, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';

/** Day and time in Sydney: '19 Nov 16:31', of another year '19 Nov 2025 16:31'. @param time epoch ms */
export const whenText = (time: number): string =>
  `${formatShortDate(sydneyDate(time), sydneyDate(serverNow()))} ${formatTime(time)}`;
