import { sydneyDate } from '#lib/sydneyTime.ts';
import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { formatShortDate, formatTime } from '#texts/format.ts';

/**
 * The last three neither begin nor end a server alert: unknown now, not checked since the start, or between two limits.
 */
export type HealthCheckState = 'wrong' | 'well' | 'unknown' | 'unchecked' | 'unchanged';

/** Result of one check of the server. All texts are plain sentences. */
export type HealthCheck = {
  key: string;
  /** The name in the list of checks: 'Backups'. Several checks may share it. */
  what: string;
  state: HealthCheckState;
  title: string;
  detail: string;
  remedy: string;
  overTitle: string;
  /** How long it must fail before it is a server alert, and be well before that ends; ms. */
  afterMs: number;
  overAfterMs: number;
  /** True if its messages ignore quiet hours. */
  isUrgent: boolean;
  /**
   * Its parts by name, and whether each has failed for long enough. A part that is added to a reported check is
   * reported under `moreTitle`.
   */
  parts?: readonly { name: string; lasts: boolean }[];
  moreTitle?: string;
  /** The platform that fails. Messages about it use another platform if the administrator has one. */
  platform?: MessagePlatform;
  /** The key of a milder check. While this one is a server alert, that one is not listed and reports no end. */
  stageOf?: string;
};

/** Day and time in Sydney: '19 Nov 16:31'. Both epoch ms. */
export const dayText = (time: number, now: number): string =>
  `${formatShortDate(sydneyDate(time), sydneyDate(now))} ${formatTime(time)}`;

/** Like `dayText`, without the day if it is today: '16:31'. */
export const sinceText = (time: number, now: number): string =>
  sydneyDate(time) === sydneyDate(now) ? formatTime(time) : dayText(time, now);

/** `failing`: wrong, but not a server alert yet. `unknown`: no answer now. `unchecked`: not checked since the start. */
export const CHECK_STATES = ['wrong', 'failing', 'unchecked', 'unknown', 'well'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

export type Check = { what: string; state: CheckState };

/** @param isListed whether it is a server alert now */
function stateOf({ state }: HealthCheck, isListed: boolean): CheckState {
  if (isListed) return 'wrong';
  if (state === 'wrong') return 'failing';
  return state === 'unchanged' ? 'well' : state;
}

/** Whether this server cannot check it, such as a disk whose system reports no free space. */
const isNoCheck = ({ state, detail }: HealthCheck): boolean => state === 'unknown' && detail === '';

/** The state of each check name is the worst of its checks. @param listed keys of the server alerts */
export function checksOf(checks: readonly HealthCheck[], listed: ReadonlySet<string>): Check[] {
  const states = new Map<string, CheckState>();
  for (const check of checks) {
    if (isNoCheck(check)) continue;
    const own = stateOf(check, listed.has(check.key));
    const other = states.get(check.what) ?? 'well';
    states.set(check.what, CHECK_STATES.indexOf(own) < CHECK_STATES.indexOf(other) ? own : other);
  }
  return [...states].map(([what, state]) => ({ what, state }));
}
