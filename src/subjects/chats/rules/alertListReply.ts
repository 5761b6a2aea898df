import type { Alert } from '../../alerts/rules/alert.ts';
import { plainLine } from '../../alerts/rules/plainText.ts';
import { logicText } from '../../conditions/rules/logicText.ts';
import { formatTime } from '../../../texts/format.ts';
import type { Catalog } from '../../../market/indicators/rules/types.ts';
import type { ChatButton, ChatMessage } from './chatMessage.ts';
import { note } from './linkReplies.ts';

/** By its title a list is told from the message of one alert. */
export const ALERT_LIST_TITLE = 'Your alerts';

/** As many as there can be buttons under a message on either platform, and lines to be read on a phone. */
const MAX_SHOWN = 20;
const MAX_LINE = 90;

function stateOf({ active, snoozedUntil, stoppedReason }: Alert, now: number): string {
  if (!active) return stoppedReason === null ? 'off' : 'stopped';
  return snoozedUntil !== null && snoozedUntil > now
    ? `snoozed until ${formatTime(snoozedUntil)} Sydney`
    : 'on';
}

type ListContext = {
  /** Epoch ms by the wall clock. */
  now: number;
  catalog: Pick<Catalog, 'indicators'>;
};

/** A user's alerts, with a button under each that switches it on or off. */
export function alertListReply(alerts: readonly Alert[], { now, catalog }: ListContext): ChatMessage {
  if (alerts.length === 0) {
    return note(ALERT_LIST_TITLE, 'You have none yet. Make one in Bellbird under Watchlist & Alerts.');
  }
  const shown = alerts.slice(0, MAX_SHOWN);
  const lines = shown.map((alert, index) => {
    const what = plainLine(alert.name ?? logicText(alert.logic, catalog), MAX_LINE);
    return `${index + 1}) ${alert.symbol}: ${what} (${stateOf(alert, now)})`;
  });
  const buttons = shown.map(
    ({ id, symbol, active }, index): ChatButton => ({
      action: active ? 'off' : 'on',
      target: id,
      label: `${index + 1}) ${symbol} ${active ? 'off' : 'on'}`,
    }),
  );
  const more = alerts.length - shown.length;
  if (more > 0) lines.push(`and ${more} more in Bellbird`);
  return { title: ALERT_LIST_TITLE, lines, link: null, buttons };
}
