import { formatShortDate, formatTime } from '../../../../../texts/format.ts';
import { sydneyDate } from '../../../../../market/rules/sydneyTime.ts';
import type { LoginSession } from './requests.ts';

const moment = (time: string, now: number): string =>
  `${formatShortDate(sydneyDate(Date.parse(time)), sydneyDate(now))}, ${formatTime(time)}`;

/** What a session is called: its device, and for a browser that does not say, that it did not. */
export const sessionName = ({ device }: LoginSession): string => device ?? 'Unknown device';

/** When it was opened and seen, Sydney time: 'Logged in 18 Nov, 11:00 · last seen 19 Nov, 09:30'. @param now epoch ms */
export function sessionTimes({ createdAt, lastSeenAt }: LoginSession, now: number): string {
  const words = [
    createdAt === null ? null : `Logged in ${moment(createdAt, now)}`,
    lastSeenAt === null ? null : `last seen ${moment(lastSeenAt, now)}`,
  ];
  return words.filter((word) => word !== null).join(' · ');
}
