import { isRecord } from '../../../lib/json.ts';
import type { Concern } from './concern.ts';

/** What is remembered of a concern, also over a restart. Times are epoch ms. */
export type Standing = {
  wrongSince: number;
  /** Since when it is well again; null while it is not. */
  wellSince: number | null;
  /** When it began to count, at which it was told; null while it was not wrong for long enough. */
  countsSince: number | null;
};

/** What a look makes of a concern. `standing` is null once there is nothing to remember. */
type Step = { standing: Standing | null; tell: 'begin' | 'over' | null };

/** A clock that was set back must not make anybody wait. */
const notAfter = (time: number, now: number): number => Math.min(time, now);

function stepWrong({ afterMs }: Concern, was: Standing | null, now: number): Step {
  const wrongSince = notAfter(was?.wrongSince ?? now, now);
  const countsSince = was?.countsSince ?? null;
  const begins = countsSince === null && now - wrongSince >= afterMs;
  return {
    standing: { wrongSince, wellSince: null, countsSince: begins ? now : countsSince },
    tell: begins ? 'begin' : null,
  };
}

function stepWell({ overAfterMs }: Concern, was: Standing | null, now: number): Step {
  if (was === null || was.countsSince === null) return { standing: null, tell: null };
  const wellSince = notAfter(was.wellSince ?? now, now);
  return now - wellSince >= overAfterMs
    ? { standing: null, tell: 'over' }
    : { standing: { ...was, wellSince }, tell: null };
}

/**
 * What follows from a concern: it counts once it was wrong for long enough, and is over once it was well for long enough, so
 * that what comes and goes is told once.
 * @param was what was remembered of it; null for nothing
 * @param now epoch ms
 */
export function stepStanding(concern: Concern, was: Standing | null, now: number): Step {
  if (concern.state === 'wrong') return stepWrong(concern, was, now);
  if (concern.state === 'well') return stepWell(concern, was, now);
  const counts = was !== null && was.countsSince !== null;
  return { standing: counts ? { ...was, wellSince: null } : null, tell: null };
}

const timeIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/**
 * What an earlier run remembered, by key. What did not count yet begins anew: nobody knows what was while nothing ran.
 * @param kept as it stands in the database
 */
export function readStandings(kept: unknown): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const [key, value] of Object.entries(isRecord(kept) ? kept : {})) {
    if (!isRecord(value)) continue;
    const wrongSince = timeIn(value['wrongSince']);
    const countsSince = timeIn(value['countsSince']);
    if (wrongSince !== null && countsSince !== null)
      standings.set(key, { wrongSince, countsSince, wellSince: null });
  }
  return standings;
}

/** What counts now, the longest first, without a stage that a worse one covers. */
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
