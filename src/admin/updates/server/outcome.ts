import type { UpdateState } from '../../../platform/install/shared/updateState.ts';
import type { Audit, AdminAction } from '../../audit/server/service.ts';

/** What comes of an update before anything of it is made: a refusal there leaves no trace in the audit. */
const LOOKS: ReadonlySet<string> = new Set(['Look at the room', 'Look for updates']);

/** The action that an update's end is; null while it goes on, and of one that was refused at the look. */
function actionOf({ id, phase, from, to, failure, steps }: UpdateState): AdminAction | null {
  // The same on both sides, so that it is no difference: entries are found again by it.
  const update = { update: id };
  const common = { userId: null, target: 'server', reason: failure };
  const stands = { ...update, ...from };
  switch (phase) {
    case 'healthy':
      return { ...common, action: 'update', before: stands, after: { ...update, ...to, outcome: 'healthy' } };
    case 'failed':
      if (!steps.some(({ name }) => !LOOKS.has(name))) return null;
      return { ...common, action: 'update', before: stands, after: { ...stands, outcome: 'failed' } };
    case 'rolledBack':
      return { ...common, action: 'roll back', before: { ...update, ...to }, after: stands };
    default:
      return null;
  }
}

const isOf = (after: unknown, id: string): boolean =>
  (after as { update?: unknown } | null | undefined)?.update === id;

/**
 * Writes into the audit how an update ended, once: the entry itself says of which it is. The update's own process can't
 * always do so, as the database that it has may be put back.
 *
 * @param state the last update; null when there was none
 */
export function auditOutcome(audit: Audit, state: UpdateState | null): void {
  const done = state === null ? null : actionOf(state);
  if (state === null || done === null) return;
  const latest = audit.list({ action: done.action, by: null }).entries[0];
  if (!isOf(latest?.after, state.id)) audit.record(done);
}

export type TakenBack = { at: number; reason: string | null };

/**
 * Whether a version was tried here and taken back; the audit keeps it over later updates.
 *
 * @param state the last update, which may not be in the audit yet
 * @returns when, epoch ms, and why, of the last time; null when it never was
 */
export function takenBack(
  audit: Audit,
  state: UpdateState | null,
  { commit }: { commit: string },
): TakenBack | null {
  if (state?.phase === 'rolledBack' && state.to?.commit === commit) {
    return { at: state.steps.at(-1)?.endedAt ?? state.startedAt, reason: state.failure };
  }
  const entry = audit
    .list({ action: 'roll back', by: null })
    .entries.find(({ before }) => (before as { commit?: unknown } | null)?.commit === commit);
  return entry ? { at: Date.parse(entry.at), reason: entry.reason } : null;
}
