import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { plainLine } from '#texts/plainText.ts';
import type { ShortAlert } from './shortageMessage.ts';

const MAX_ALERTS = 12;

/** Says that alerts are on, but a list, saved scan or indicator that they read is gone. */
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
