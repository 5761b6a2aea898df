import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { plainLine } from '#texts/plainText.ts';

const MAX_ALERTS = 12;

/** An alert without indicator values, and the reason as a sentence. */
type ShortAlert = { title: string; reason: string };

/** Lists alerts that are not evaluated because the server no longer computes their values. */
export function shortageMessage(alerts: readonly ShortAlert[]): ChatMessage {
  const shown = alerts.slice(0, MAX_ALERTS).map(({ title, reason }) => `${plainLine(title, 70)}: ${reason}`);
  const more = alerts.length - shown.length;
  return {
    title:
      alerts.length === 1
        ? 'One of your alerts is not being checked'
        : 'Some of your alerts are not being checked',
    lines: [
      ...shown,
      ...(more > 0 ? [`And ${more} more.`] : []),
      'They resume automatically when indicator values are free. To free some, use fewer indicators in columns, scans and alerts.',
    ],
    link: null,
    buttons: [],
  };
}

/** Lists alerts that read a deleted list, saved scan or indicator. */
export function lostReferenceMessage(alerts: readonly ShortAlert[]): ChatMessage {
  const shown = alerts.slice(0, MAX_ALERTS).map(({ title, reason }) => `${plainLine(title, 70)}: ${reason}`);
  const more = alerts.length - shown.length;
  return {
    title:
      alerts.length === 1
        ? 'One of your alerts needs your attention'
        : 'Some of your alerts need your attention',
    lines: [
      ...shown,
      ...(more > 0 ? [`And ${more} more.`] : []),
      'Change them in Watchlist & Alerts, or switch them off.',
    ],
    link: null,
    buttons: [],
  };
}
