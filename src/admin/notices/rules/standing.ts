import { isRecord } from '../../../lib/json.ts';
import type { Finding } from './finding.ts';

/** What is remembered of a finding, also over a restart. Times are epoch ms. */
export type Standing = {
  wrongSince: number;
  /** Since when it is well again; null while it is not. */
  wellSince: number | null;
  /** When it began to count, at which it was told; null while it was not wrong for long enough. */
  countsSince: number | null;
};

/** What a look makes of a finding. `standing` is null once there is nothing to remember. */
type Step = { standing: Standing | null; tell: 'begin' | 'over' | null };

/** A clock that was set back must not make anybody wait. */
const notAfter = (time: number, now: number): number => Math.min(time, now);

function stepWrong({ afterMs }: Finding, was: Standing | null, now: number): Step {
  const wrongSince = notAfter(was?.wrongSince ?? now, now);
  const countsSince = was?.countsSince ?? null;
  const begins = countsSince === null && now - wrongSince >= afterMs;
  return {
    standing: { wrongSince, wellSince: null, countsSince: begins ? now : countsSince },
    tell: begins ? 'begin' : null,
  };
}

function stepWell({ overAfterMs }: Finding, was: Standing | null, now: number): Step {
  if (was === null || was.countsSince === null) return { standing: null, tell: null };
  const wellSince = notAfter(was.wellSince ?? now, now);
  return now - wellSince >= overAfterMs
    ? { standing: null, tell: 'over' }
    : { standing: { ...was, wellSince }, tell: null };
}

/**
 * What follows from a finding: it counts once it was wrong for long enough, and is over once it was well for long enough, so
 * that what comes and goes is told once.
 * @param was what was remembered of it; null for nothing
 * @param now epoch ms
 */
export function stepStanding(finding: Finding, was: Standing | null, now: number): Step {
  if (finding.state === 'wrong') return stepWrong(finding, was, now);
  if (finding.state === 'well') return stepWell(finding, was, now);
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
  findings: readonly Finding[],
  standings: ReadonlyMap<string, Standing>,
): { finding: Finding; standing: Standing }[] {
  const all = findings.flatMap((finding) => {
    const standing = standings.get(finding.key);
    return standing && standing.countsSince !== null ? [{ finding, standing }] : [];
  });
  const covered = new Set(all.map(({ finding }) => finding.stageOf));
  return all
    .filter(({ finding }) => !covered.has(finding.key))
    .toSorted((a, b) => a.standing.wrongSince - b.standing.wrongSince);
}
