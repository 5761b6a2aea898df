import type { Places } from '#subjects/alerts/rules/recipient.ts';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import type { Concern } from './concern.ts';

/** Where administrators' messages go. @property reason why nothing arrives, a sentence; null while it does */
export type DestinationSeen = { name: string; reason: string | null };

export type DestinationsSeen = {
  /** The channels that get messages. */
  channels: readonly DestinationSeen[];
  /** The administrators who want notices and have a chat or device. */
  administrators: readonly DestinationSeen[];
};

const WORDS = {
  channels: {
    what: 'Channels',
    title: 'A channel takes no messages',
    moreTitle: 'One more channel takes no messages',
    overTitle: 'Every channel takes messages again',
    remedy:
      'Add the bot to the channel again. Each message that you send there in Channels tries it once more.',
  },
  administrators: {
    what: 'Administrators’ chats and devices',
    title: 'Server notices don’t reach an administrator',
    moreTitle: 'Server notices don’t reach one more administrator',
    overTitle: 'Server notices reach every administrator again',
    remedy:
      'They can link a chat or allow notifications on a device in Settings, and remove there what they don’t use.',
  },
} as const;

const NAMED = 3;

function namedReasons(broken: readonly DestinationSeen[]): string {
  const named = broken.slice(0, NAMED).map(({ name, reason }) => `${name}: ${reason}`);
  const more = broken.length - named.length;
  return [...named, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

function destinationConcern(key: keyof typeof WORDS, seen: readonly DestinationSeen[]): Concern[] {
  if (seen.length === 0) return [];
  const broken = seen.filter(({ reason }) => reason !== null);
  return [
    {
      key,
      ...WORDS[key],
      state: broken.length > 0 ? 'wrong' : 'well',
      detail: namedReasons(broken),
      parts: broken.map(({ name }) => ({ name, lasts: true })),
      afterMs: 0,
      overAfterMs: 0,
      isUrgent: false,
    },
  ];
}

/** Channels and administrators that messages do not reach, although the services that carry them work. */
export const destinationConcerns = (seen: DestinationsSeen): Concern[] => [
  ...destinationConcern('channels', seen.channels),
  ...destinationConcern('administrators', seen.administrators),
];

/**
 * How an administrator is reached.
 * @returns null without a chat or device; a reason if none of them takes messages
 */
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
