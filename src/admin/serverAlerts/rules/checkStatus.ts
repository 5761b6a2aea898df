import { isRecord } from '#lib/json.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { type HealthCheck, dayText } from './healthCheck.ts';

/** The status of a check, stored across restarts. Times are epoch ms. */
export type CheckStatus = {
  wrongSince: number;
  /** Start of recovery; null while the problem continues. */
  wellSince: number | null;
  /** When the server alert began; null until the problem has lasted long enough. */
  countsSince: number | null;
  /** Names of the reported parts; omitted if the check has no parts, or if an earlier version reported it. */
  told?: readonly string[];
};

/** The result of one step. `status` is null when there is nothing to store. */
type Step = { status: CheckStatus | null; news: 'begin' | 'more' | 'over' | null };

/** Limits a time to now, because a clock that was set back must not prolong a wait. */
const notAfter = (time: number, now: number): number => Math.min(time, now);

/** The step of a reported check that still fails. A part that recovered and failed again is not reported twice. */
function nextOfReported({ parts }: HealthCheck, was: CheckStatus): Step {
  const status = { ...was, wellSince: null };
  if (parts === undefined) return { status, news: null };
  const { told } = was;
  const names = parts.map(({ name }) => name);
  if (told === undefined) return { status: { ...status, told: names }, news: null };
  const isMore = parts.some(({ name, lasts }) => lasts && !told.includes(name));
  if (!isMore) return { status, news: null };
  return { status: { ...status, told: [...new Set([...told, ...names])] }, news: 'more' };
}

function stepWrong(check: HealthCheck, was: CheckStatus | null, now: number): Step {
  const { afterMs, parts } = check;
  const wrongSince = notAfter(was?.wrongSince ?? now, now);
  if (was !== null && was.countsSince !== null) return nextOfReported(check, { ...was, wrongSince });
  if (now - wrongSince < afterMs)
    return { status: { wrongSince, wellSince: null, countsSince: null }, news: null };
  const told = parts && { told: parts.map(({ name }) => name) };
  return { status: { wrongSince, wellSince: null, countsSince: now, ...told }, news: 'begin' };
}

function stepWell({ overAfterMs }: HealthCheck, was: CheckStatus | null, now: number): Step {
  if (was === null || was.countsSince === null) return { status: null, news: null };
  const wellSince = notAfter(was.wellSince ?? now, now);
  return now - wellSince >= overAfterMs
    ? { status: null, news: 'over' }
    : { status: { ...was, wellSince }, news: null };
}

/**
 * The next status of a check. It becomes a server alert after it failed for long enough, and ends after it was well for
 * long enough, so that a flapping one is reported once.
 * @param was the stored status; null for none
 */
export function nextStatus(check: HealthCheck, was: CheckStatus | null, now: number): Step {
  if (check.state === 'wrong') return stepWrong(check, was, now);
  if (check.state === 'well') return stepWell(check, was, now);
  const counts = was !== null && was.countsSince !== null;
  return { status: counts ? { ...was, wellSince: null } : null, news: null };
}

const timeIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const reportedIn = (value: unknown): Pick<CheckStatus, 'told'> =>
  Array.isArray(value) ? { told: value.filter((name) => typeof name === 'string') } : {};

/**
 * Reads the statuses of an earlier run, by key. A check that was not a server alert yet starts again.
 * @param kept the value from the database
 */
export function readStatuses(kept: unknown): Map<string, CheckStatus> {
  const statuses = new Map<string, CheckStatus>();
  for (const [key, value] of Object.entries(isRecord(kept) ? kept : {})) {
    if (!isRecord(value)) continue;
    const wrongSince = timeIn(value['wrongSince']);
    const countsSince = timeIn(value['countsSince']);
    if (wrongSince !== null && countsSince !== null)
      statuses.set(key, { wrongSince, countsSince, wellSince: null, ...reportedIn(value['told']) });
  }
  return statuses;
}

/** Checks that are server alerts now, oldest first, without those that a worse stage covers. */
export function counting(
  checks: readonly HealthCheck[],
  statuses: ReadonlyMap<string, CheckStatus>,
): { check: HealthCheck; status: CheckStatus }[] {
  const all = checks.flatMap((check) => {
    const status = statuses.get(check.key);
    return status && status.countsSince !== null ? [{ check, status }] : [];
  });
  const covered = new Set(all.map(({ check }) => check.stageOf));
  return all
    .filter(({ check }) => !covered.has(check.key))
    .toSorted((a, b) => a.status.wrongSince - b.status.wrongSince);
}

const PAGE = '#/admin/server-alerts';

const message = (title: string, lines: string[], publicUrl: string | null): ChatMessage => ({
  title: `Bellbird: ${title}`,
  lines: lines.filter((line) => line !== ''),
  link: publicUrl === null ? null : { text: 'Open the Admin Panel', url: `${publicUrl}/${PAGE}` },
  page: PAGE,
  buttons: [],
});

export const beginMessage = ({ title, detail, remedy }: HealthCheck, publicUrl: string | null): ChatMessage =>
  message(title, [detail, remedy, 'You will get another message when it is resolved.'], publicUrl);

export const moreMessage = (check: HealthCheck, publicUrl: string | null): ChatMessage =>
  beginMessage({ ...check, title: check.moreTitle ?? check.title }, publicUrl);

export const overMessage = (
  { title, overTitle }: HealthCheck,
  { wrongSince }: Pick<CheckStatus, 'wrongSince'>,
  now: number,
  publicUrl: string | null,
): ChatMessage =>
  message(overTitle, [`Resolved: “${title}” (since ${dayText(wrongSince, now)} Sydney).`], publicUrl);
