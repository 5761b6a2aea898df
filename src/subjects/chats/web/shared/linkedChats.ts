import type { Destinations } from '../../../alerts/rules/alert.ts';
import { type linkedChat, linkedChatsAnswer } from '../../answers/linkedChats.ts';
import type { ChatPlatform } from '../../rules/chatPlatform.ts';
import type { Known } from '../../../../lib/contract/fields.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { readerOf } from '../../../../../web/api/readerOf.ts';

/** A chat that belongs to the user, or waits to. */
export type LinkedChat = Known<typeof linkedChat>;

/** The user's chats. @throws ApiError with the sentence to show; also for what is no list */
export const fetchLinkedChats = (): Promise<LinkedChat[]> =>
  unwrap(api.settings['linked-chats'].get(), readerOf(linkedChatsAnswer));

/** The platforms on which there is a chat. */
export function platformsOf(chats: readonly LinkedChat[]): Destinations {
  const has = (platform: ChatPlatform) => chats.some((chat) => chat.platform === platform);
  return { telegram: has('telegram'), discord: has('discord') };
}
