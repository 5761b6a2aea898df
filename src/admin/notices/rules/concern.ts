import { sydneyDate } from '#market/rules/sydneyTime.ts';
import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { formatShortDate, formatTime } from '#texts/format.ts';

/**
 * How something about the host stands. The last three begin nothing and end nothing: it can't be said now, nothing was
 * asked since the start, or it is between two limits and stays as it was.
 */
export type ConcernState = 'wrong' | 'well' | 'unknown' | 'unchecked' | 'unchanged';

/** Something about the host that may be wrong, as it was found at one look. All texts are plain sentences. */
export type Concern = {
  /** The same at every look: what is remembered of it is kept by it. */
  key: string;
  /** The name of the check in a list: 'Backups'. Several concerns may share one check. */
  what: string;
  state: ConcernState;
  title: string;
  /** What was seen; empty where there is nothing to say. */
  detail: string;
  /** What the host can do. */
  remedy: string;
  /** The title of the message that it is over. */
  overTitle: string;
  /** So long it must be wrong before it counts, and well before it counts as over. */
  afterMs: number;
  overAfterMs: number;
  /** Quiet hours do not hold its messages. */
  isUrgent: boolean;
  /**
   * What it is made of, where that may grow, by name, and whether each has been wrong for long enough: what comes to one that
   * was told is told too, under `moreTitle`.
   */
  parts?: readonly { name: string; lasts: boolean }[];
  moreTitle?: string;
  /** What does not work then: the message that it began takes another way, if its reader has one. */
  platform?: MessagePlatform;
  /** A worse stage of the concern of this key: while it counts, that is not listed, and its end is told by that alone. */
  stageOf?: string;
};

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Day and time in Sydney, in a sentence: '19 Nov 16:31'. Both epoch ms. */
export const dayText = (time: number, now: number): string =>
  `${formatShortDate(sydneyDate(time), sydneyDate(now))} ${formatTime(time)}`;

/** The same, without the day where that is today's: '16:31'. */
export const sinceText = (time: number, now: number): string =>
  sydneyDate(time) === sydneyDate(now) ? formatTime(time) : dayText(time, now);

/**
 * The result of a check. `failing`: wrong, but without a notice so far. `unknown`: the check has no answer now. `unchecked`:
 * nothing was asked since the start.
 */
export const CHECK_STATES = ['wrong', 'failing', 'unchecked', 'unknown', 'well'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

export type Check = { what: string; state: CheckState };

/** @param isListed whether it is a notice now */
function stateOf({ state }: Concern, isListed: boolean): CheckState {
  if (isListed) return 'wrong';
  if (state === 'wrong') return 'failing';
  return state === 'unchanged' ? 'well' : state;
}

/** Nothing can be said of it on this server, such as of a disk whose system does not tell. */
const isNoCheck = ({ state, detail }: Concern): boolean => state === 'unknown' && detail === '';

/** The result of each check: the worst of its concerns. @param listed keys of the notices */
export function checksOf(concerns: readonly Concern[], listed: ReadonlySet<string>): Check[] {
  const states = new Map<string, CheckState>();
  for (const concern of concerns) {
    if (isNoCheck(concern)) continue;
    const own = stateOf(concern, listed.has(concern.key));
    const other = states.get(concern.what) ?? 'well';
    states.set(concern.what, CHECK_STATES.indexOf(own) < CHECK_STATES.indexOf(other) ? own : other);
  }
  return [...states].map(([what, state]) => ({ what, state }));
}
