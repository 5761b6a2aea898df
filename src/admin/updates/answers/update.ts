import {
  boolean,
  choice,
  count,
  integer,
  type Known,
  list,
  or,
  orNull,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { always, alwaysOrNull, object } from '#lib/contract/objects.ts';
import { readTime } from '#lib/read.ts';

/** Whole epoch ms by the server's clock. */
const time = readBy(integer, readTime);
const version = object({ version: words, commit: words });

const waitingOfferAnswer = object({
  isNew: boolean,
  /** Unknown for a source checkout until it is built. */
  version: orNull(words),
  commit: words,
  /** Null for a release. */
  branch: orNull(words),
  /** At most 50 commits, newest first. */
  commits: list(object({ commit: text, subject: or(text, ''), at: time }, ['commit'])),
  count,
  notes: orNull(words),
  /** When and why this version was rolled back on this server; null if it was not. */
  takenBack: orNull(object({ at: time, reason: orNull(words) })),
  checkedAt: time,
});
/** Answer of `POST /api/admin/server/update/check`: the new version, if there is one. */
export const offerAnswer = readBy(waitingOfferAnswer, (value) => {
  const offer = waitingOfferAnswer.read(value);
  if (!offer) return null;
  const { length } = offer.commits;
  return { ...offer, isNew: offer.isNew ?? length > 0, count: offer.count ?? length };
});
export type Offer = Known<typeof offerAnswer>;

const step = object(
  {
    name: text,
    startedAt: time,
    endedAt: orNull(time),
    outcome: or(choice(['running', 'done', 'failed']), 'running'),
    detail: orNull(words),
  },
  ['name'],
);
export type UpdateStep = Known<typeof step>;

const UNDER_WAY = ['preparing', 'swapping', 'trial', 'rollingBack'] as const;

const update = object(
  {
    id: or(text, ''),
    by: words,
    startedAt: time,
    from: always(version),
    to: alwaysOrNull(version),
    phase: choice([...UNDER_WAY, 'healthy', 'rolledBack', 'failed']),
    steps: list(step),
    failure: orNull(words),
    logTail: list(text),
  },
  ['phase'],
);
export type Update = Known<typeof update>;

export const isUnderWay = (shown: Update | null): boolean =>
  UNDER_WAY.some((phase) => phase === shown?.phase);

export const updateAnswer = object({
  installation: or(choice(['checkout', 'release', 'none']), 'checkout'),
  noUpdate: orNull(words),
  running: always(version),
  /** The server's clock, to compute how long a step has been running. */
  now: time,
  /** The update in progress, otherwise the last one. */
  update: orNull(update),
  /** The last result of a check by this process; null before the first. */
  offer: orNull(offerAnswer),
});
export type UpdateInfo = Known<typeof updateAnswer>;

export const startedAnswer = object({
  /** False if there is nothing new. `GET /api/admin/server/update` returns the steps. */
  updated: boolean,
  /** Whether the server restarts after the new version has passed its check. */
  restarting: boolean,
  branch: orNull(text),
  /** Null if no update was started. */
  id: orNull(text),
});
