import { createMessageMaker } from '../subjects/alerts/server/messages.ts';
import { AlertStore } from '../subjects/alerts/server/store.ts';
import { createLinkedChats } from '../subjects/chats/server/linkedChats/index.ts';
import { createOutbox } from '../platform/outbox/index.ts';
import type { Auth } from '../platform/http/auth.ts';
import type { Core } from '../part.ts';
import type { Runtime } from './runtime.ts';

/** The chat platforms that have a token, the queue of messages to them, and the chats that people have linked. */
export function createMessaging(core: Core, { platforms, randomToken }: Runtime, auth: Auth) {
  const { db, config, log } = core;
  const telegram = platforms.telegram?.(core) ?? null;
  const discord = platforms.discord?.(core) ?? null;
  const outbox = createOutbox(core, {
    senders: [telegram, discord].flatMap((platform) => platform?.sender ?? []),
    messageOf: createMessageMaker({
      store: new AlertStore(db),
      publicUrl: config.publicUrl,
      log: log.child('alerts'),
    }),
  });
  const botNames = () => ({
    telegram: telegram?.botName() ?? null,
    discord: discord?.botName() ?? null,
  });
  const linkedChats = createLinkedChats(core, { auth, randomToken, outbox: outbox.service, botNames });
  return { platforms: { telegram, discord, botNames }, outbox, linkedChats };
}

export type Messaging = ReturnType<typeof createMessaging>;
