import { type App, provide } from '#platform/app.ts';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import type { PlatformConnectors } from './runtime.ts';
import type { Broken } from '#platform/outbox/delivery.ts';
import { createOutbox } from '#platform/outbox/index.ts';
import type { NewMessage } from '#platform/outbox/message.ts';
import { connectPush } from '#platform/push/index.ts';
import type { Destination, Places } from '#subjects/alerts/rules/recipient.ts';
import { createMessageMaker } from '#subjects/alerts/server/messages.ts';
import { brokenMessage } from '../subjects/chats/rules/replies.ts';
import { type BotNames, createLinkedChats } from '#subjects/chats/server/linkedChats/index.ts';
import { createDevices } from '#subjects/devices/server/index.ts';
import { createQuietHours } from '#subjects/quietHours/server/index.ts';

/** All of a user's chats and devices, including those that receive nothing. */
const placesOf = ({ devices, linkedChats }: App, userId: number): Places => ({
  chats: linkedChats.list(userId).map(({ platform, confirmed, broken }) => ({
    platform,
    isConfirmed: confirmed,
    brokenReason: broken,
  })),
  devices: devices.list(userId).devices.map(({ id, name, status, failure }) => ({
    id,
    name,
    trouble: status === 'registered' ? null : (failure ?? 'Allow notifications on it again in Settings.'),
  })),
});

/** Messages to a user's working chats and devices: another one stopped receiving messages. */
function brokenMessages(app: App, { userId, chatId, platform, name, reason, isGone }: Broken): NewMessage[] {
  const named = name ?? chatId;
  const place =
    platform === 'push'
      ? { what: `your device ${named}`, page: '#/settings/notifications' }
      : { what: `your ${PLATFORM_NAMES[platform]} chat ${named}`, page: '#/settings/linked-accounts' };
  const message = brokenMessage({ ...place, reason, isGone }, app.config.publicUrl);
  const others = app.chatsOf(userId).filter((one) => one.platform !== platform || one.chatId !== chatId);
  return others.map((place) => ({ ...place, userId, triggerId: null, message }));
}

/** Creates message delivery: chat platforms with a token, push services, the outbox, chats and devices. */
export function createMessaging(app: App, platforms: PlatformConnectors) {
  const telegram = platforms.telegram?.(app) ?? null;
  const discord = platforms.discord?.(app) ?? null;
  app.push = connectPush(app);
  app.botNames = () => ({
    telegram: telegram?.botName() ?? null,
    discord: discord?.botName() ?? null,
  });
  app.chatsOf = (userId) => [...app.linkedChats.confirmed(userId), ...app.devices.places(userId)];
  app.placesOf = (userId) => placesOf(app, userId);
  const alertMessageOf = createMessageMaker(app);
  const outbox = createOutbox(app, {
    senders: [...[telegram, discord].flatMap((platform) => platform?.sender ?? []), ...app.push.senders],
    holdsBack: (userId) => app.quietHours.holdsBack(userId),
    // Without a trigger the note is about a followed call.
    messageOf: (userId, triggerId, note) =>
      triggerId === null
        ? app.calls.following.messageOf(userId, note)
        : alertMessageOf(userId, triggerId, note),
    brokenMessages: (broken) => brokenMessages(app, broken),
  });
  return {
    telegram,
    discord,
    outbox: provide(app, 'outbox', outbox),
    linkedChats: provide(app, 'linkedChats', createLinkedChats(app)),
    devices: provide(app, 'devices', createDevices(app)),
    quietHours: provide(app, 'quietHours', createQuietHours(app)),
  };
}

declare module '#platform/app.ts' {
  interface App {
    botNames(): BotNames;
    /** The chats and devices of a user that messages can be delivered to. */
    chatsOf(userId: number): Destination[];
    /** All chats and devices of a user, including those that receive nothing. */
    placesOf(userId: number): Places;
  }
}
