import type { UpdateState } from '../../install/updateState.ts';
import type { Audit, Deed } from '../audit/service.ts';

/** What comes of an update before anything of it is made: a refusal there leaves no trace in the audit. */
const LOOKS: ReadonlySet<string> = new Set(['Look at the room', 'Look for updates']);

/** The deed that an update's end is; null while it goes on, and of one that was refused at the look. */
function deedOf({ id, phase, from, to, failure, steps }: UpdateState): Deed | null {
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
  const deed = state === null ? null : deedOf(state);
  if (state === null || deed === null) return;
  const latest = audit.list({ action: deed.action, by: null }).entries[0];
  if (!isOf(latest?.after, state.id)) audit.record(deed);
}
