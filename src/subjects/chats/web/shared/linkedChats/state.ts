import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import { chatBotsAnswer } from '../../../answers/linkedChats.ts';
import type { ChatPlatform } from '../../../rules/chatPlatform.ts';
import { MESSAGES } from '../../../../../texts/messages.ts';
import type { Known } from '../../../../../lib/contract/fields.ts';
import type { Refusal } from '../../../../../lib/result.ts';
import { api, messageOf, readRefusal, refusalOf, unwrap } from '../../../../../../web/api/client.ts';
import { readerOf } from '../../../../../../web/api/readerOf.ts';
import { onReconnect } from '../../../../../../web/shared/onReconnect.ts';
import { session } from '../../../../accounts/web/shared/session/session.ts';
import { fetchLinkedChats, type LinkedChat } from '../linkedChats.ts';

/** The bots of this server. */
export type ChatBots = Known<typeof chatBotsAnswer>;

const chats = signal<readonly LinkedChat[] | null>(null);
const loadFailure = signal<string | null>(null);
const botNames = signal<ChatBots | null>(null);

/** The user's chats; null until they are loaded. */
export const linkedChats: ReadonlySignal<readonly LinkedChat[] | null> = chats;
/** Why they could not be loaded; null when they could. */
export const linkedChatsError: ReadonlySignal<string | null> = loadFailure;
/** The bots of this server; null while nothing is known of them. */
export const chatBots: ReadonlySignal<ChatBots | null> = botNames;

let newest = 0;

/** Loads the user's chats. When loads overlap, the one that was started last wins. */
export async function loadLinkedChats(): Promise<void> {
  newest += 1;
  const own = newest;
  try {
    const loaded = await fetchLinkedChats();
    if (own !== newest) return;
    batch(() => {
      chats.value = loaded;
      loadFailure.value = null;
    });
  } catch (problem) {
    if (own !== newest) return;
    // What was loaded before stays in sight.
    if (chats.peek() === null)
      loadFailure.value = messageOf(problem, 'Your linked accounts could not be loaded.');
    onReconnect(loadMissing);
  }
}

function loadMissing(): void {
  if (loadFailure.peek() !== null && session.peek().isAuthenticated) void loadLinkedChats();
}

/** Loads which bots there are. Without an answer the help names none, until the network or the server is back. */
export async function loadChatBots(): Promise<void> {
  try {
    botNames.value = await unwrap(api.settings['chat-bots'].get(), readerOf(chatBotsAnswer));
  } catch (problem) {
    console.warn('Which chat bots there are could not be read.', problem);
    onReconnect(loadMissingBots);
  }
}

function loadMissingBots(): void {
  if (botNames.peek() === null && session.peek().isAuthenticated) void loadChatBots();
}

/** Forgets everything: the session ended, or Settings was left. */
export function forgetLinkedChats(): void {
  newest += 1;
  batch(() => {
    chats.value = null;
    loadFailure.value = null;
    botNames.value = null;
  });
}

/** Links a chat by its ID. @returns why it was not linked, or null when it was */
export async function linkChat(platform: ChatPlatform, chatUserId: string): Promise<Refusal | null> {
  try {
    const answer = await unwrap(api.settings['link-chat'].post({ platform, chatUserId }));
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
    const answer = await unwrap(api.settings['unlink-chat'].post({ platform, chatUserId: id }));
    return readRefusal(answer, fallback)?.message ?? null;
  } catch (problem) {
    return messageOf(problem, fallback);
  }
}

/** Takes a chat from the user. @returns why it was not unlinked, or null when it was */
export async function unlinkChat(chat: LinkedChat): Promise<string | null> {
  const { platform, id } = chat;
  const failure = await postUnlink(chat);
  if (failure !== null) {
    // It may be gone already: unlinked in another window, or in the chat itself.
    void loadLinkedChats();
    return failure;
  }
  newest += 1;
  chats.value = (chats.peek() ?? []).filter((chat) => chat.platform !== platform || chat.id !== id);
  return null;
}
