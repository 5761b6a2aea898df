import type { Destinations } from '../../../alerts/rules/alert.ts';
import { CHAT_PLATFORMS, type ChatPlatform } from '../../rules/chatPlatform.ts';
import { readBoolean, readChoice, readList, readRecord, readText } from '../../../../lib/read.ts';
import { ApiError, api, NETWORK_ERROR, unwrap } from '../../../../../web/api/client.ts';

/** A chat that belongs to the user, or waits to. */
export type LinkedChat = {
  platform: ChatPlatform;
  /** The platform's own. */
  id: string;
  /** What the chat calls itself; its ID where that is not known. */
  label: string;
  /** Messages go to confirmed chats only. */
  confirmed: boolean;
  /** A sentence saying why nothing can be delivered; null while all is well. */
  broken: string | null;
};

const readPlatform = readChoice<ChatPlatform>(CHAT_PLATFORMS);

function readChat(value: unknown): LinkedChat | null {
  const chat = readRecord(value);
  const platform = readPlatform(chat.platform);
  const id = readText(chat.id)?.trim();
  if (!platform || !id) return null;
  return {
    platform,
    id,
    label: readText(chat.label)?.trim() || readText(chat.display_name)?.trim() || id,
    // A server that does not tell has no unconfirmed ones.
    confirmed: readBoolean(chat.confirmed) ?? true,
    broken: readText(chat.broken)?.trim() || null,
  };
}

/** GET /settings/linked-chats (specification 7.1). @throws ApiError for what is no list */
export function readLinkedChats(body: unknown): LinkedChat[] {
  if (!Array.isArray(body)) throw new ApiError(NETWORK_ERROR, 502, body);
  return readList(body, readChat);
}

/** The user's chats. @throws ApiError with the sentence to show */
export const fetchLinkedChats = (): Promise<LinkedChat[]> =>
  unwrap(api.settings['linked-chats'].get(), readLinkedChats);

/** The platforms on which there is a chat. */
export function platformsOf(chats: readonly LinkedChat[]): Destinations {
  const has = (platform: ChatPlatform) => chats.some((chat) => chat.platform === platform);
  return { telegram: has('telegram'), discord: has('discord') };
}
