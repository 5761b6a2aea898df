import { DASH, formatClock, formatNumber } from '../../../texts/format.ts';
import { sydneyDate } from '../../../market/rules/sydneyTime.ts';
import type { Figure, Stats } from './readState.ts';

/** Numbers between are moments: from 2001 to 2096 in epoch ms. */
const FIRST_MOMENT = 1e12;
const LAST_MOMENT = 4e12;

/** 'measuredLagMs' as 'measured lag ms'. */
const nameText = (name: string): string =>
  name.replaceAll(
    /([a-z\d])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );

function valueText(value: Figure): string {
  if (value === null || value === '') return DASH;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (value > FIRST_MOMENT && value < LAST_MOMENT) return `${sydneyDate(value)} ${formatClock(value)}`;
  return formatNumber(value, Number.isInteger(value) ? 0 : 1);
}

/** Figures for people, in the order in which the server gave them. */
export const shownFigures = (stats: Stats): { name: string; value: string }[] =>
  Object.entries(stats).map(([name, value]) => ({ name: nameText(name), value: valueText(value) }));
