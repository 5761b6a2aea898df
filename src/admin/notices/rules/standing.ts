import { isRecord } from '#lib/json.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { type Concern, dayText } from './concern.ts';

/** The stored status of a concern, kept over restarts. Times are epoch ms. */
export type Standing = {
  wrongSince: number;
  /** Start of recovery; null while it is wrong. */
  wellSince: number | null;
  /** When its notice began; null until it was wrong for long enough. */
  countsSince: number | null;
  /** Names of the reported parts; omitted if it has none, or if an earlier version reported it. */
  told?: readonly string[];
};

/** The result of one check. `standing` is null when there is nothing to remember. */
type Step = { standing: Standing | null; tell: 'begin' | 'more' | 'over' | null };

/** A clock that was set back must not prolong a wait. */
const notAfter = (time: number, now: number): number => Math.min(time, now);

/** A reported concern that is still wrong. A part that came back and failed again is not reported twice. */
function stepTold({ parts }: Concern, was: Standing): Step {
  const standing = { ...was, wellSince: null };
  if (parts === undefined) return { standing, tell: null };
  const { told } = was;
  const names = parts.map(({ name }) => name);
  if (told === undefined) return { standing: { ...standing, told: names }, tell: null };
  const isMore = parts.some(({ name, lasts }) => lasts && !told.includes(name));
  if (!isMore) return { standing, tell: null };
  return { standing: { ...standing, told: [...new Set([...told, ...names])] }, tell: 'more' };
}

function stepWrong(concern: Concern, was: Standing | null, now: number): Step {
  const { afterMs, parts } = concern;
  const wrongSince = notAfter(was?.wrongSince ?? now, now);
  if (was !== null && was.countsSince !== null) return stepTold(concern, { ...was, wrongSince });
  if (now - wrongSince < afterMs)
    return { standing: { wrongSince, wellSince: null, countsSince: null }, tell: null };
  const told = parts && { told: parts.map(({ name }) => name) };
  return { standing: { wrongSince, wellSince: null, countsSince: now, ...told }, tell: 'begin' };
}

function stepWell({ overAfterMs }: Concern, was: Standing | null, now: number): Step {
  if (was === null || was.countsSince === null) return { standing: null, tell: null };
  const wellSince = notAfter(was.wellSince ?? now, now);
  return now - wellSince >= overAfterMs
    ? { standing: null, tell: 'over' }
    : { standing: { ...was, wellSince }, tell: null };
}

/**
 * A concern counts after it was wrong for long enough, and is over after it was well for long enough, so a flapping
 * one is reported once.
 * @param was the stored status; null for none
 */
export function stepStanding(concern: Concern, was: Standing | null, now: number): Step {
  if (concern.state === 'wrong') return stepWrong(concern, was, now);
  if (concern.state === 'well') return stepWell(concern, was, now);
  const counts = was !== null && was.countsSince !== null;
  return { standing: counts ? { ...was, wellSince: null } : null, tell: null };
}

const timeIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const toldIn = (value: unknown): Pick<Standing, 'told'> =>
  Array.isArray(value) ? { told: value.filter((name) => typeof name === 'string') } : {};

/**
 * Restores the status of an earlier run, by key. A concern that did not count yet starts again.
 * @param kept the value from the database
 */
export function readStandings(kept: unknown): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const [key, value] of Object.entries(isRecord(kept) ? kept : {})) {
    if (!isRecord(value)) continue;
    const wrongSince = timeIn(value['wrongSince']);
    const countsSince = timeIn(value['countsSince']);
    if (wrongSince !== null && countsSince !== null)
      standings.set(key, { wrongSince, countsSince, wellSince: null, ...toldIn(value['told']) });
  }
  return standings;
}

/** Concerns that count now, longest first, without those that a worse stage covers. */
export function counting(
  concerns: readonly Concern[],
  standings: ReadonlyMap<string, Standing>,
): { concern: Concern; standing: Standing }[] {
  const all = concerns.flatMap((concern) => {
    const standing = standings.get(concern.key);
    return standing && standing.countsSince !== null ? [{ concern, standing }] : [];
  });
  const covered = new Set(all.map(({ concern }) => concern.stageOf));
  return all
    .filter(({ concern }) => !covered.has(concern.key))
    .toSorted((a, b) => a.standing.wrongSince - b.standing.wrongSince);
}

const PAGE = '#/admin';

const message = (title: string, lines: string[], publicUrl: string | null): ChatMessage => ({
  title: `Bellbird: ${title}`,
  lines: lines.filter((line) => line !== ''),
  link: publicUrl === null ? null : { text: 'Open the Admin Panel', url: `${publicUrl}/${PAGE}` },
  page: PAGE,
  buttons: [],
});

export const beginMessage = ({ title, detail, remedy }: Concern, publicUrl: string | null): ChatMessage =>
  message(title, [detail, remedy, 'You will get another message when it is resolved.'], publicUrl);

export const moreMessage = (concern: Concern, publicUrl: string | null): ChatMessage =>
  beginMessage({ ...concern, title: concern.moreTitle ?? concern.title }, publicUrl);

export const overMessage = (
  { title, overTitle }: Concern,
  { wrongSince }: Pick<Standing, 'wrongSince'>,
  now: number,
  publicUrl: string | null,
): ChatMessage =>
  message(overTitle, [`Resolved: “${title}” (since ${dayText(wrongSince, now)} Sydney).`], publicUrl);
