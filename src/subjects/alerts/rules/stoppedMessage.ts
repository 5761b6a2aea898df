import type { ChatMessage } from '../../chats/rules/chatMessage.ts';
import type { Alert } from './alert.ts';

/** Why the alerts on a stock are stopped at its split. */
export const splitReason = (symbol: string): string =>
  `${symbol} was split or consolidated, so the prices in this alert may not fit any more.`;

/** Tells an alert's owner that it was stopped without having fired. */
export const stoppedMessage = ({
  id,
  symbol,
  name,
  stoppedReason,
}: Pick<Alert, 'id' | 'symbol' | 'name' | 'stoppedReason'>): ChatMessage => ({
  title: `${symbol} · alert stopped`,
  lines: [...(name ? [name] : []), ...(stoppedReason ? [stoppedReason] : [])],
  link: null,
  buttons: [{ action: 'on', target: id, label: 'Switch on again' }],
});
