import type { ChatPlatform } from '../../../rules/chatPlatform.ts';
import { readBoolean, readRecord, readText } from '../../../../../lib/read.ts';
import { readAnswer } from '../../../../../../web/api/client.ts';

/** The bots of this server. */
export type ChatBots = Record<ChatPlatform, { configured: boolean; name: string | null }>;

/** GET /settings/chat-bots. A bot of which nothing is said is taken for one. */
export function readChatBots(body: unknown): ChatBots {
  const answer = readAnswer(body);
  const bot = (platform: ChatPlatform) => {
    const { configured, name } = readRecord(answer[platform]);
    return { configured: readBoolean(configured) ?? true, name: readText(name)?.trim() || null };
  };
  return { telegram: bot('telegram'), discord: bot('discord') };
}
