import type { ButtonAction } from '../../rules/chatMessage.ts';
import type { ChatEvent } from '../../../../platform/chatClients/received.ts';
import type { ChatCommandsDeps } from './deps.ts';

/** A group has people to whom its account's alerts and watchlist are nobody's business. */
export const isShared = ({ isGroup, chatId, personId }: ChatEvent): boolean => isGroup && chatId !== personId;

/** Whether somebody is the owner of the chat's account: in a group known by a chat of their own. */
export function isOwner({ linkedChats }: Pick<ChatCommandsDeps, 'linkedChats'>, event: ChatEvent): boolean {
  if (!isShared(event)) return true;
  const { platform, personId } = event;
  const own = linkedChats.accountOf({ platform, chatId: personId });
  return own !== null && own.id === linkedChats.accountOf(event)?.id;
}

/** The buttons that act on an alert, or on one of a whole scan; one takes the place of another when it was pressed. */
const IN_PLACE: readonly ReadonlySet<ButtonAction>[] = [
  new Set(['snooze', 'off', 'on']),
  new Set(['scansnooze', 'scanoff', 'scanon']),
];

/**
 * Whether a pressed button stands under the message that was pressed, as the platform shows it. A group's member can send
 * the data of a button that there never was: no message with it was sent to that group.
 */
export const isUnderMessage = ({ action, target, shown }: Extract<ChatEvent, { kind: 'button' }>): boolean =>
  shown?.buttons.some((button) => {
    if (button.target !== target) return false;
    return button.action === action || IN_PLACE.some((kind) => kind.has(action) && kind.has(button.action));
  }) ?? false;
