import {
  CHAT_PLATFORMS,
  type ChatPlatform,
  PLATFORM_NAMES,
} from '#platform/chatClients/rules/chatPlatform.ts';
import { hasDevices } from '#subjects/devices/rules/device.ts';
import type { Destinations } from '../alert.ts';

/** A chat that its owner linked. */
export type PlaceChat = {
  platform: ChatPlatform;
  isConfirmed: boolean;
  /** Why nothing can be delivered, a sentence; null while it can. */
  brokenReason: string | null;
};

/** A device of theirs. @property trouble why it takes nothing, a sentence; null while it does */
export type PlaceDevice = { id: number; name: string; trouble: string | null };

export type Places = { chats: readonly PlaceChat[]; devices: readonly PlaceDevice[] };

/** Where nothing arrives. @property isNamed whether what is sent there is of these destinations */
export type BrokenPlace = { key: string; reason: string; isNamed(destinations: Destinations): boolean };

/** Why nothing, or not everything, arrives on a platform, a sentence; null when all of its chats work. */
function chatTrouble(platform: ChatPlatform, chats: readonly PlaceChat[]): string | null {
  const name = PLATFORM_NAMES[platform];
  const own = chats.filter((chat) => chat.platform === platform);
  if (own.length === 0) return `No ${name} chat is linked.`;
  const failing = own.filter(({ isConfirmed, brokenReason }) => !isConfirmed || brokenReason !== null);
  const [first] = failing;
  if (first === undefined) return null;
  const of = own.length === 1 ? `Your ${name} chat` : `${failing.length} of your ${own.length} ${name} chats`;
  return first.brokenReason === null
    ? `${of} waits to be confirmed.`
    : `${of} can’t be delivered to: ${first.brokenReason}`;
}

function deviceTrouble({ devices }: Places): BrokenPlace[] {
  const failing = devices.flatMap(({ id, name, trouble }): BrokenPlace[] =>
    trouble === null
      ? []
      : [
          {
            key: `device ${id}`,
            reason: `${name} takes no messages: ${trouble}`,
            isNamed: ({ devices: chosen }) => chosen === 'all' || chosen.includes(id),
          },
        ],
  );
  const ids = new Set(devices.map(({ id }) => id));
  // Who chose single devices that were all removed since is told nowhere of it.
  const areGone = ({ devices: chosen }: Destinations): boolean =>
    hasDevices(chosen) && (chosen === 'all' ? ids.size === 0 : chosen.every((id) => !ids.has(id)));
  return [...failing, { key: 'devices', reason: 'No such device is registered.', isNamed: areGone }];
}

/** The chats and devices that take nothing, each with what is sent there. */
export const brokenPlaces = (places: Places): BrokenPlace[] => [
  ...CHAT_PLATFORMS.flatMap((platform): BrokenPlace[] => {
    const reason = chatTrouble(platform, places.chats);
    return reason === null ? [] : [{ key: platform, reason, isNamed: (named) => named[platform] }];
  }),
  ...deviceTrouble(places),
];
