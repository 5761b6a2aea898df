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

const toldOffer = object({
  isNew: boolean,
  /** The version of a checkout is not known before it is built. */
  version: orNull(words),
  commit: words,
  /** Null for a release. */
  branch: orNull(words),
  /** The newest first, at most 50. */
  commits: list(object({ commit: text, subject: or(text, ''), at: time }, ['commit'])),
  /** How many commits there are in all. */
  count,
  /** Of a release. */
  notes: orNull(words),
  /** That this very version ran here before, did not run well and was taken back: when and why. */
  takenBack: orNull(object({ at: time, reason: orNull(words) })),
  /** When it was looked for. */
  checkedAt: time,
});
/** What an update would bring: `POST /api/admin/server/update/check`. */
export const offerAnswer = readBy(toldOffer, (value) => {
  const offer = toldOffer.read(value);
  if (!offer) return null;
  const { length } = offer.commits;
  return { ...offer, isNew: offer.isNew ?? length > 0, count: offer.count ?? length };
});
export type Offer = Known<typeof offerAnswer>;

const step = object(
  {
    name: text,
    startedAt: time,
    /** Null while it runs. */
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

/** Whether an update is not over. */
export const isUnderWay = (shown: Update | null): boolean =>
  UNDER_WAY.some((phase) => phase === shown?.phase);

/** `GET /api/admin/server/update`. */
export const updateAnswer = object({
  installation: or(choice(['checkout', 'release', 'none']), 'checkout'),
  /** Why this installation can't be updated from here; null when it can. */
  noUpdate: orNull(words),
  running: always(version),
  /** The server's clock, for how long a step has been running. */
  now: time,
  /** The update that is under way, else the last one; null when there was none. */
  update: orNull(update),
  /** What the last look of this process found; null before the first. */
  offer: orNull(offerAnswer),
});
export type UpdateInfo = Known<typeof updateAnswer>;

/** `POST /api/admin/server/update-and-restart`. */
export const startedAnswer = object({
  /** Whether an update was started; its steps are in GET /admin/server/update. False when there is nothing new. */
  updated: boolean,
  /** Whether the server restarts when the new version has passed its check. */
  restarting: boolean,
  branch: orNull(text),
  /** Of the update that was started; null when there is nothing new. */
  id: orNull(text),
});
