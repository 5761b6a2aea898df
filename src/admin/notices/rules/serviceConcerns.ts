import { doubtful, type Finding } from '#lib/finding.ts';
import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { type Concern, type ConcernState, MINUTE_MS } from './concern.ts';
import { LOOK_AT_SERVICE } from '#texts/adminMessages.ts';

/** What a service says of itself: null while nothing was asked since the start. */
export type ServiceSeen = Finding | null;

/** The services that are set up here; the others are left out. */
export type ServicesSeen = Partial<Record<keyof typeof WORDS, ServiceSeen>>;

type Words = Pick<Concern, 'what' | 'title' | 'overTitle'> & { platform?: MessagePlatform };

const WORDS = {
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

/** Only an administrator can help, so there is little to wait for. */
const CERTAIN_MS = 2 * MINUTE_MS;
/** A short outage of a network or a service ends without help. */
const SETTLED_MS = 5 * MINUTE_MS;

const stateOf = (seen: ServiceSeen): ConcernState => {
  if (seen === null) return 'unchecked';
  return seen.state === 'ok' ? 'well' : 'wrong';
};

function serviceConcern(key: keyof typeof WORDS, seen: ServiceSeen): Concern {
  return {
    key,
    ...WORDS[key],
    state: stateOf(seen),
    detail: seen?.says ?? 'It has not been checked since the start.',
    remedy: seen?.remedy ?? '',
    afterMs: seen?.state === 'wrong' ? CERTAIN_MS : SETTLED_MS,
    overAfterMs: SETTLED_MS,
    isUrgent: key !== 'model',
  };
}

/**
 * What is wrong with the services that this server sends by or asks. A finding that is *wrong* needs an administrator, and
 * one that is a *warning* may end without help.
 */
export const serviceConcerns = (seen: ServicesSeen): Concern[] =>
  (Object.keys(WORDS) as (keyof typeof WORDS)[]).flatMap((key) => {
    const service = seen[key];
    return service === undefined ? [] : [serviceConcern(key, service)];
  });

/**
 * What carries messages works if it says so and messages can be sent.
 * @param found what it says of itself
 * @param trouble why nothing can be sent, a sentence; null while it can
 */
export function carrierSeen(
  platform: MessagePlatform,
  found: ServiceSeen,
  trouble: string | null,
): ServiceSeen {
  if (trouble === null || found?.state === 'wrong') return found;
  return doubtful(WORDS[platform].what, trouble, LOOK_AT_SERVICE);
}
