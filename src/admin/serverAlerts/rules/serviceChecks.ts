import { doubtful, type CheckResult } from '#lib/checkResult.ts';
import { type MessagePlatform, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import type { Places } from '#subjects/alerts/rules/recipient.ts';
import { CHECK_SERVICE } from '#texts/adminMessages.ts';
import { type HealthCheck, type HealthCheckState } from './healthCheck.ts';
import { MINUTE_MS } from '#lib/units.ts';

/** Result of a service; null until the first check since the start. */
export type ServiceSeen = CheckResult | null;

export type ServicesSeen = Partial<Record<keyof typeof SERVICE_WORDS, ServiceSeen>>;

type Words = Pick<HealthCheck, 'what' | 'title' | 'overTitle'> & { platform?: MessagePlatform };

const SERVICE_WORDS = {
  telegram: {
    what: 'Telegram bot',
    platform: 'telegram',
    title: 'The Telegram bot does not work',
    overTitle: 'The Telegram bot works again',
  },
  discord: {
    what: 'Discord bot',
    platform: 'discord',
    title: 'The Discord bot does not work',
    overTitle: 'The Discord bot works again',
  },
  push: {
    what: 'Web push',
    platform: 'push',
    title: 'Web push does not work',
    overTitle: 'Web push works again',
  },
  model: {
    what: 'Model',
    title: 'The model does not answer',
    overTitle: 'The model answers again',
  },
  relays: {
    what: 'Relays',
    title: 'Relays do not work',
    overTitle: 'Relays work again',
  },
} as const satisfies Record<string, Words>;

/** Delay of problems that only an administrator can fix, ms. */
const CERTAIN_MS = 2 * MINUTE_MS;
/** Delay of other problems, ms: a short outage of a network or a service ends by itself. */
const SETTLED_MS = 5 * MINUTE_MS;

const stateOf = (seen: ServiceSeen): HealthCheckState => {
  if (seen === null) return 'unchecked';
  return seen.state === 'ok' ? 'well' : 'wrong';
};

function serviceCheck(key: keyof typeof SERVICE_WORDS, seen: ServiceSeen): HealthCheck {
  return {
    key,
    ...SERVICE_WORDS[key],
    state: stateOf(seen),
    detail: seen?.says ?? 'Not checked yet since the server started.',
    remedy: seen?.remedy ?? '',
    afterMs: seen?.state === 'wrong' ? CERTAIN_MS : SETTLED_MS,
    overAfterMs: SETTLED_MS,
    isUrgent: key !== 'model',
  };
}

/** Checks of services. A *wrong* result needs an administrator; a *warning* may end by itself. */
export const serviceChecks = (seen: ServicesSeen): HealthCheck[] =>
  (Object.keys(SERVICE_WORDS) as (keyof typeof SERVICE_WORDS)[]).flatMap((key) => {
    const service = seen[key];
    return service === undefined ? [] : [serviceCheck(key, service)];
  });

/**
 * The result of a service that carries messages: it is well if its check is and messages can be sent.
 * @param trouble why messages cannot be sent, as a sentence; null if they can
 */
export function carrierSeen(
  platform: MessagePlatform,
  found: ServiceSeen,
  trouble: string | null,
): ServiceSeen {
  if (trouble === null || found?.state === 'wrong') return found;
  return doubtful(SERVICE_WORDS[platform].what, trouble, CHECK_SERVICE);
}

export type DestinationSeen = { name: string; reason: string | null };

type DestinationsSeen = {
  channels: readonly DestinationSeen[];
  administrators: readonly DestinationSeen[];
};

const DESTINATION_WORDS = {
  channels: {
    what: 'Channels',
    title: 'Messages to a channel are refused',
    moreTitle: 'Messages to another channel are refused',
    overTitle: 'All channels receive messages again',
    remedy: 'Add the bot to the channel again, then send a message in Channels to test it.',
  },
  administrators: {
    what: 'Administrators’ chats and devices',
    title: 'Server alerts do not reach an administrator',
    moreTitle: 'Server alerts do not reach another administrator',
    overTitle: 'Server alerts reach all administrators again',
    remedy:
      'Ask them to link a chat or allow notifications on a device in Settings, and to remove the ones they do not use.',
  },
} as const;

const NAMED = 3;

function namedReasons(broken: readonly DestinationSeen[]): string {
  const named = broken.slice(0, NAMED).map(({ name, reason }) => `${name}: ${reason}`);
  const more = broken.length - named.length;
  return [...named, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

function destinationCheck(
  key: keyof typeof DESTINATION_WORDS,
  seen: readonly DestinationSeen[],
): HealthCheck[] {
  if (seen.length === 0) return [];
  const broken = seen.filter(({ reason }) => reason !== null);
  return [
    {
      key,
      ...DESTINATION_WORDS[key],
      state: broken.length > 0 ? 'wrong' : 'well',
      detail: namedReasons(broken),
      parts: broken.map(({ name }) => ({ name, lasts: true })),
      afterMs: 0,
      overAfterMs: 0,
      isUrgent: false,
    },
  ];
}

/** Checks of channels and administrators that messages do not reach although the services work. */
export const destinationChecks = (seen: DestinationsSeen): HealthCheck[] => [
  ...destinationCheck('channels', seen.channels),
  ...destinationCheck('administrators', seen.administrators),
];

/** @returns null without a chat or device; a reason if none of them works */
export function administratorSeen(name: string, { chats, devices }: Places): DestinationSeen | null {
  const reasons = [
    ...chats
      .filter(({ isConfirmed }) => isConfirmed)
      .map(({ platform, brokenReason }) => brokenReason && `${PLATFORM_NAMES[platform]}: ${brokenReason}`),
    ...devices.map((device) => device.trouble && `${device.name}: ${device.trouble}`),
  ];
  const [first] = reasons;
  if (first === undefined) return null;
  return { name, reason: reasons.every((reason) => reason !== null) ? first : null };
}
