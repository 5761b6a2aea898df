import { computed, type ReadonlySignal } from '@preact/signals-react';
import type { Known } from '#lib/contract/fields.ts';
import type { Refusal } from '#lib/result.ts';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf, readerOf, readRefusal, refusalOf, request } from '#web/api/client.ts';
import { Loader } from '#web/shared/loader.ts';
import { chatBotsAnswer, type linkedChat, linkedChatsAnswer } from '#subjects/chats/answers/linkedChats.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';

/** A chat of the user, confirmed or not. */
export type LinkedChat = Known<typeof linkedChat>;

/** Also throws if the answer is not a list. */
export const fetchLinkedChats = (): Promise<LinkedChat[]> =>
  request('GET /api/settings/linked-chats', { read: readerOf(linkedChatsAnswer) });

export function platformsOf(chats: readonly LinkedChat[]): Record<ChatPlatform, boolean> {
  const has = (platform: ChatPlatform) => chats.some((chat) => chat.platform === platform);
  return { telegram: has('telegram'), discord: has('discord') };
}

export type ChatBots = Known<typeof chatBotsAnswer>;

const chats = new Loader(fetchLinkedChats, 'Your linked accounts could not be loaded.');
const bots = new Loader(
  () => request('GET /api/settings/chat-bots', { read: readerOf(chatBotsAnswer) }),
  'The chat bots could not be loaded.',
);

export const linkedChats: ReadonlySignal<readonly LinkedChat[] | null> = chats.data;
/** Why the chats could not be loaded; null if there is older data to show. */
export const linkedChatsError: ReadonlySignal<string | null> = computed(() => {
  const { data, error } = chats.state.value;
  return data === null ? error : null;
});
/** The bots; null while unknown, and then the help names none. */
export const chatBots: ReadonlySignal<ChatBots | null> = bots.data;

export const loadLinkedChats = chats.load;
export const loadChatBots = bots.load;

export function forgetLinkedChats(): void {
  chats.reset();
  bots.reset();
}

/** @returns why it failed, or null on success */
export async function linkChat(platform: ChatPlatform, chatUserId: string): Promise<Refusal | null> {
  try {
    const answer = await request('POST /api/settings/link-chat', { body: { platform, chatUserId } });
    const refusal = readRefusal(answer, MESSAGES.settings.link);
    if (refusal === null) await loadLinkedChats();
    return refusal;
  } catch (problem) {
    return refusalOf(problem, MESSAGES.settings.link);
  }
}

async function postUnlink({ platform, id }: LinkedChat): Promise<string | null> {
  const fallback = MESSAGES.settings.unlink;
  try {
    const answer = await request('POST /api/settings/unlink-chat', { body: { platform, chatUserId: id } });
    return readRefusal(answer, fallback)?.message ?? null;
  } catch (problem) {
    return messageOf(problem, fallback);
  }
}

/** @returns why it failed, or null on success */
export async function unlinkChat(chat: LinkedChat): Promise<string | null> {
  const { platform, id } = chat;
  const failure = await postUnlink(chat);
  if (failure !== null) {
    // The chat may have been unlinked in another window, or by a command in it.
    void loadLinkedChats();
    return failure;
  }
  chats.set((linkedChats.peek() ?? []).filter((one) => one.platform !== platform || one.id !== id));
  return null;
}
