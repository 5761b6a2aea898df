import { WAITS_FOR_VALUE } from '#market/indicators/rules/valueLimits.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { plainLine } from '#texts/plainText.ts';
import type { Destinations } from './recipient.ts';

/** An active alert that is not checked, or not completely. */
export type AlertProblem = {
  /** Alert id; negative for an alert on a whole scan. */
  id: number;
  title: string;
  /** A sentence. */
  problem: string;
  destinations: Destinations;
};

const MAX_ALERTS = 12;

const waitsForValue = ({ problem }: AlertProblem): boolean => problem.startsWith(WAITS_FOR_VALUE);

/** Lists alerts that lack indicator values, or read a deleted list, saved scan or indicator. */
export function problemMessage(alerts: readonly AlertProblem[]): ChatMessage {
  const shown = alerts
    .slice(0, MAX_ALERTS)
    .map(({ title, problem }) => `${plainLine(title, 70)}: ${problem}`);
  const more = alerts.length - shown.length;
  return {
    title: `${alerts.length === 1 ? 'One of your alerts needs' : 'Some of your alerts need'} your attention`,
    lines: [
      ...shown,
      ...(more > 0 ? [`And ${more} more.`] : []),
      alerts.some(waitsForValue)
        ? 'Alerts resume automatically when indicator values are free. To free some, use fewer indicators in columns, scans and alerts.'
        : 'Change them in Watchlist & Alerts, or switch them off.',
    ],
    link: null,
    buttons: [],
  };
}
