import { Elysia } from 'elysia';
import type { Wire } from '#lib/contract/fields.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import type { chatBotsAnswer } from '#subjects/chats/answers/linkedChats.ts';
import { CHATS } from '#subjects/chats/contract.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import type { Auth } from '#platform/http/auth.ts';
import { refusingWith } from '#platform/http/errors.ts';
import type { Core, Part } from '#src/part.ts';
import { LinkLimits } from './limits.ts';
import { LinkedChats, type LinkedChatsDeps } from './service.ts';
import { LinkedChatStore } from './store.ts';

const DONE = { success: true as const, error: null };

/** Does a change and answers as the specification gives its form. */
const changing = (change: () => void) =>
  refusingWith({ success: false }, () => {
    change();
    return DONE;
  });

/** The linked chats of specification 7.1, and which bots there are to link with. */
const routesOf = (auth: Auth, service: LinkedChats, bots: BotsView) =>
  new Elysia({ name: 'linkedChats' })
    .use(auth)
    .get('/settings/linked-chats', ({ user }) => service.list(user.id), {
      minLevel: 1,
      ...routeSchemas(CHATS['GET /api/settings/linked-chats']),
    })
    .get('/settings/chat-bots', () => bots(), {
      minLevel: 1,
      ...routeSchemas(CHATS['GET /api/settings/chat-bots']),
    })
    .post(
      '/settings/link-chat',
      ({ user, body }) => changing(() => service.link(user, body.platform, body.chatUserId)),
      { minLevel: 1, ...routeSchemas(CHATS['POST /api/settings/link-chat']) },
    )
    .post(
      '/settings/unlink-chat',
      ({ user, body }) => changing(() => service.unlink(user.id, body.chatUserId, body.platform)),
      { minLevel: 1, ...routeSchemas(CHATS['POST /api/settings/unlink-chat']) },
    )
    .post('/link/offer', ({ user, body }) => service.offered(user.id, body.token), {
      minLevel: 1,
      ...routeSchemas(CHATS['POST /api/link/offer']),
    })
    .post('/link/claim', ({ user, body }) => changing(() => service.claim(user, body.token)), {
      minLevel: 1,
      ...routeSchemas(CHATS['POST /api/link/claim']),
    });

/** The name of each platform's bot, where it is known. */
export type BotNames = Partial<Record<ChatPlatform, string | null>>;
type BotsView = () => Wire<typeof chatBotsAnswer>;

export type LinkedChatsNeeds = Pick<LinkedChatsDeps, 'outbox' | 'randomToken'> & {
  auth: Auth;
  /** What the bots are called by now. */
  botNames(): BotNames;
};

/** Linked chats: the routes of Settings, and what the bots and the alerts ask of them. */
export function createLinkedChats({ db, clock, config }: Core, needs: LinkedChatsNeeds) {
  const hasBot = (platform: ChatPlatform): boolean => config[platform].token !== null;
  const { auth, outbox, randomToken, botNames } = needs;
  const store = new LinkedChatStore(db);
  const limits = new LinkLimits(clock);
  const service = new LinkedChats({ store, clock, limits, outbox, randomToken, hasBot });
  const bot = (platform: ChatPlatform) => ({
    configured: hasBot(platform),
    name: botNames()[platform] ?? null,
  });
  const bots: BotsView = () => ({ telegram: bot('telegram'), discord: bot('discord') });
  return { name: 'linkedChats', service, routes: () => routesOf(auth, service, bots) } satisfies Part;
}
