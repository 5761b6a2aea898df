import type { Wire } from '#lib/contract/fields.ts';
import { serve } from '#platform/http/routes.ts';
import type { chatBotsAnswer } from '#subjects/chats/answers/linkedChats.ts';
import { CHATS } from '#subjects/chats/contract.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { refusingWith } from '#platform/http/errors.ts';
import type { App, Part } from '#platform/app.ts';
import { LinkedChats } from './service.ts';

const DONE = { success: true as const, error: null };

/** Answers in the format of the specification. */
const changing = (change: () => void) =>
  refusingWith({ success: false }, () => {
    change();
    return DONE;
  });

/** Linked chats (specification 7.1), and the available bots. */
const routesOf = (service: LinkedChats, bots: BotsView) =>
  serve(CHATS, {
    'GET /api/settings/linked-chats': ({ user }) => service.list(user.id),
    'GET /api/settings/chat-bots': () => bots(),
    'POST /api/settings/link-chat': ({ user, body }) =>
      changing(() => service.link(user, body.platform, body.chatUserId)),
    'POST /api/settings/unlink-chat': ({ user, body }) =>
      changing(() => service.unlink(user.id, body.chatUserId, body.platform)),
    'POST /api/link/offer': ({ user, body }) => service.offered(user.id, body.token),
    'POST /api/link/claim': ({ user, body }) => changing(() => service.claim(user, body.token)),
  });

export type BotNames = Partial<Record<ChatPlatform, string | null>>;
type BotsView = () => Wire<typeof chatBotsAnswer>;

export function createLinkedChats(app: App) {
  const service = new LinkedChats(app);
  const bot = (platform: ChatPlatform) => ({
    configured: service.hasBot(platform),
    name: app.botNames()[platform] ?? null,
  });
  const bots: BotsView = () => ({ telegram: bot('telegram'), discord: bot('discord') });
  return { name: 'linkedChats', service, routes: () => routesOf(service, bots) } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    linkedChats: LinkedChats;
  }
}
