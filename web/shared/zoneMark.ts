import { sydneyOffset } from '#lib/sydneyTime.ts';

const SUMMER_MS = 11 * 3_600_000;

/**
 * The suffix of a Sydney time for viewers in other zones: ' AEDT' in summer, ' AEST' in winter; empty if the local
 * clock shows the same time.
 * @param time epoch ms
 */
export function zoneMark(time: number): string {
  const sydney = sydneyOffset(time);
  if (-new Date(time).getTimezoneOffset() * 60_000 === sydney) return '';
  return sydney === SUMMER_MS ? ' AEDT' : ' AEST';
}
