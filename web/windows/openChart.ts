import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { navigate } from '../router/navigate.ts';
import { CHART_PATH } from '../router/routes.ts';
import { showBriefly } from '../shared/saved.ts';
import { BREAKPOINTS } from '../ui/useWidthQuery.ts';
import { isInMyGroup, newWindowName, showInGroup } from './linkedWindows.ts';

const FEATURES = 'popup=yes,width=1000,height=640';
const BLOCKED =
  'The browser blocked the chart window, so the chart is shown here. Allow pop-ups to open it in a window.';

const opened = new Map<string, Window>();

/** A past trade, epoch ms; `until` is null if it was not sold. */
export type PastTrade = { at: number; until: number | null };

export function chartRoute(
  code: string | null,
  timeframe: ChartTimeframe = '1',
  past: PastTrade | null = null,
): string {
  const query = new URLSearchParams();
  if (code !== null) query.set('symbol', code);
  if (timeframe !== '1') query.set('tf', timeframe);
  if (past !== null) query.set('at', String(past.at));
  if (past !== null && past.until !== null) query.set('until', String(past.until));
  return query.size === 0 ? CHART_PATH : `${CHART_PATH}?${query}`;
}

function open(route: string, name = newWindowName()): void {
  const { origin, pathname } = window.location;
  const made = window.open(`${origin}${pathname}#${route}`, name, FEATURES);
  if (made === null) {
    showBriefly(BLOCKED);
    return navigate(route);
  }
  for (const [known, { closed }] of opened) if (closed) opened.delete(known);
  opened.set(name, made);
  made.focus();
}

const isPhone = (): boolean => window.matchMedia(BREAKPOINTS.phone).matches;

/**
 * Opens a chart in a window that follows, otherwise in a new one. On a phone, or if the browser blocks windows, in this
 * window.
 */
export async function openChart(code: string): Promise<void> {
  if (isPhone()) return navigate(chartRoute(code));
  const name = await showInGroup(code, () => [...opened.values()].some(isInMyGroup));
  if (name === null) return open(chartRoute(code));
  const known = opened.get(name);
  if (known && !known.closed) known.focus();
}

export const openAnotherChart = (code: string | null, timeframe: ChartTimeframe): void =>
  open(chartRoute(code, timeframe));

const PAST_WINDOW = 'bellbird:past';

/** Opens the chart of a past trade, always in the same window. */
export function openPastChart(code: string, past: PastTrade): void {
  const route = chartRoute(code, '1', past);
  if (isPhone()) navigate(route);
  else open(route, PAST_WINDOW);
}
