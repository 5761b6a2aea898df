import type { ChatEvent } from '#platform/chatClients/received.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Market } from '#market/types.ts';
import type { Alerts } from '#subjects/alerts/server/service.ts';
import type { Indicators } from '#subjects/indicators/server/service.ts';
import type { LinkedChats } from '../linkedChats/service.ts';
import type { Questions } from '#subjects/questions/server/service.ts';
import type { ScanAlerts } from '#subjects/alerts/server/scanAlerts/service.ts';
import type { Watchlist } from '#subjects/alerts/server/watchlist/service.ts';

/** What commands and buttons are answered from. */
export type ChatCommandsDeps = {
  clock: Clock;
  log: Log;
  publicUrl: string | null;
  /** The source's label. */
  label(): string;
  market: Market;
  catalog: Pick<Indicators['catalog'], 'current'>;
  linkedChats: LinkedChats;
  alerts: Alerts;
  scanAlerts: ScanAlerts;
  /** When an alert is on that can only hold before the open, in words. */
  untilOpen(): string;
  watchlist: Watchlist;
  questions: Questions;
};

/** When an alert is on, if it can only hold before the open; null for always. */
export const whenOn = <A>(
  { untilOpen }: Pick<ChatCommandsDeps, 'untilOpen'>,
  { isUntilOpen }: { isUntilOpen(alert: A): boolean },
  alert: A,
): string | null => (isUntilOpen(alert) ? untilOpen() : null);

/** A group has people to whom its account's alerts and watchlist are nobody's business. */
export const isShared = ({ isGroup, chatId, personId }: ChatEvent): boolean => isGroup && chatId !== personId;

/** Whether somebody is the owner of the chat's account: in a group known by a chat of their own. */
export function isOwner({ linkedChats }: Pick<ChatCommandsDeps, 'linkedChats'>, event: ChatEvent): boolean {
  if (!isShared(event)) return true;
  const { platform, personId } = event;
  if (personId === null) return false;
  const own = linkedChats.accountOf({ platform, chatId: personId });
  return own !== null && own.id === linkedChats.accountOf(event)?.id;
}
