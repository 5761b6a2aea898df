import { createMessageMaker } from '../subjects/alerts/server/messages.ts';
import { AlertStore } from '../subjects/alerts/server/store.ts';
import { createLinkedChats } from '../subjects/chats/server/linkedChats/index.ts';
import { createDevices } from '../subjects/devices/server/index.ts';
import type { Broken } from '../platform/outbox/delivery.ts';
import type { NewMessage } from '../platform/outbox/message.ts';
import { brokenMessage } from '../subjects/chats/rules/replies.ts';
import { PLATFORM_NAMES } from '../platform/chatClients/rules/chatPlatform.ts';
import { createOutbox } from '../platform/outbox/index.ts';
import { connectPush } from '../platform/push/index.ts';
import type { Places } from '../subjects/alerts/rules/recipient.ts';
import { createQuietHours } from '../subjects/quietHours/server/index.ts';
import { QuietHoursOf } from '../subjects/quietHours/server/service.ts';
import { quietHoursStore } from '../subjects/quietHours/server/store.ts';
import type { App } from '#platform/app.ts';
import type { Runtime } from './runtime.ts';

/** All of a user's chats and devices, also those that take nothing. */
const allPlaces =
  (
    linkedChats: ReturnType<typeof createLinkedChats>['service'],
    devices: ReturnType<typeof createDevices>['service'],
  ) =>
  (userId: number): Places => ({
    chats: linkedChats.list(userId).map(({ platform, confirmed, broken }) => ({
      platform,
      isConfirmed: confirmed,
      brokenReason: broken,
    })),
    devices: devices.list(userId).devices.map(({ id, name, status, failure }) => ({
      id,
      name,
      trouble: status === 'registered' ? null : (failure ?? 'Register it again in Settings.'),
    })),
  });

const messageMaker = ({ db, config, log }: App) =>
  createMessageMaker({
    store: new AlertStore(db),
    publicUrl: config.publicUrl,
    log: log.child('alerts'),
  });

/** The chat platforms that have a token, push services, the queue of messages to them, and people's chats and devices. */
export function createMessaging(app: App, runtime: Runtime) {
  const { platforms, jwtSecret } = runtime;
  const { db } = app;
  const telegram = platforms.telegram?.(app) ?? null;
  const discord = platforms.discord?.(app) ?? null;
  const push = connectPush(app, jwtSecret);
  const quiet = new QuietHoursOf(quietHoursStore(db), app.clock);
  const outbox = createOutbox(app, {
    senders: [...[telegram, discord].flatMap((platform) => platform?.sender ?? []), ...push.senders],
    holdsBack: quiet.holdsBack,
    messageOf: messageMaker(app),
    brokenMessages: (broken) => brokenMessages(broken),
  });
  const botNames = () => ({
    telegram: telegram?.botName() ?? null,
    discord: discord?.botName() ?? null,
  });
  const linkedChats = createLinkedChats(app, { outbox: outbox.service, botNames });
  const devices = createDevices(app, {
    publicKey: push.publicKey,
    outbox: outbox.service,
  });
  /** Where a user's messages go: confirmed chats and devices to which messages can be delivered. */
  const placesOf = (userId: number) => [
    ...linkedChats.service.confirmed(userId),
    ...devices.service.places(userId),
  ];
  const brokenMessages = ({ userId, chatId, platform, name, reason, isGone }: Broken): NewMessage[] => {
    const named = name ?? chatId;
    const what =
      platform === 'push' ? `your device ${named}` : `your ${PLATFORM_NAMES[platform]} chat ${named}`;
    const message = brokenMessage({ what, reason, isGone }, app.config.publicUrl);
    const others = placesOf(userId).filter((one) => one.platform !== platform || one.chatId !== chatId);
    return others.map((place) => ({ ...place, userId, triggerId: null, message }));
  };
  const made = {
    telegram,
    discord,
    botNames,
    placesOf,
    allPlacesOf: allPlaces(linkedChats.service, devices.service),
    noticeTokens: push.tokens,
    clockAhead: push.clockAhead,
  };
  const quietHours = createQuietHours(app, { quietHours: quiet, outbox: outbox.service, placesOf });
  return { platforms: made, outbox, linkedChats, devices, quietHours };
}

export type Messaging = ReturnType<typeof createMessaging>;
