import { seenText } from '../../../rules/seenText.ts';
import type { ListedTrigger } from '../../../rules/triggerList.ts';
import type { Delivery } from '../../../rules/alertView.ts';
import { PLATFORM_NAMES } from '../../../../chats/rules/chatPlatform.ts';
import { DASH } from '../../../../../texts/format.ts';
import { EVENT_PAST } from '../../../rules/scanAlerts/scanAlertText.ts';

/** The stock that it was, or the first of a sum. */
export const stockOf = ({ symbol, symbols }: ListedTrigger): string => symbol ?? `${symbols.length} stocks`;

/** What happened: 'Last 51.00 above 50.00', 'Entered Pre-Market Scan', and of a sum which stocks did. */
export function reasonOf({ kind, seen, event, scan, symbols }: ListedTrigger): string {
  const held = seen.filter(({ holds }) => holds !== false).map(seenText);
  const did = kind === 'scan' && event !== null ? [`${EVENT_PAST[event]} ${scan ?? 'the scan'}`] : [];
  const text = [...did, ...held].join(' · ') || DASH;
  return symbols.length === 0 ? text : `${text}: ${symbols.join(', ')}`;
}

const BECAME: Readonly<Record<Delivery, string>> = {
  sent: '',
  waiting: ' (on its way)',
  failed: ' (not delivered)',
};

/** Where it was sent and what became of that: 'Telegram, Discord (not delivered)'. */
export function sentText({ silent, sent }: ListedTrigger): string {
  if (silent) return 'Nowhere: snoozed';
  if (sent.length === 0) return 'Browser only';
  return sent.map(({ platform, delivery }) => `${PLATFORM_NAMES[platform]}${BECAME[delivery]}`).join(', ');
}
