import type { AlertDraft } from '../../../rules/alertDraft.ts';
import type { DraftCondition } from '../../../../conditions/rules/draft.ts';
import { isRecord } from '../../../../../lib/json.ts';
import { readList } from '../../../../../lib/read.ts';
import { type EditorState, isUnsaved, stateOfNew } from './editorState.ts';

/** An alert that was being edited when the session ended. */
export type HeldAlert = {
  symbol: string;
  /** Null for one that was never saved. */
  id: number | null;
  /** The version that was edited. */
  version: number | null;
  draft: AlertDraft;
};

/** What is to be kept of an editor; null when the server holds all of it. */
export function heldOf(state: EditorState): HeldAlert | null {
  const { symbol, saved, draft } = state;
  return isUnsaved(state) ? { symbol, id: saved?.id ?? null, version: saved?.version ?? null, draft } : null;
}

/** JSON has no NaN, which stands for a number that is still to be typed. */
const revived = (condition: DraftCondition): DraftCondition =>
  condition.rhs?.type === 'number' && !Number.isFinite(condition.rhs.value)
    ? { ...condition, rhs: { type: 'number', value: Number.NaN } }
    : condition;

function readHeldAlert(value: unknown): HeldAlert | null {
  if (!isRecord(value) || typeof value.symbol !== 'string' || !isRecord(value.draft)) return null;
  // Written by the same build of the page, in this window.
  const held = value as HeldAlert;
  return { ...held, draft: { ...held.draft, conditions: held.draft.conditions.map(revived) } };
}

/** What was kept when the session ended; none when nothing was. */
export const readHeldAlerts = (kept: unknown): HeldAlert[] => readList(kept, readHeldAlert);

/**
 * An editor that goes on with what was kept. When the alert was changed or deleted since, the person chooses.
 * @param current as the server holds it; null when it has no such alert
 */
export function restored(
  current: EditorState | null,
  { id, symbol, version, draft }: HeldAlert,
): EditorState {
  if (current === null || current.saved === null) {
    const start = stateOfNew(symbol, draft);
    return id === null ? start : { ...start, conflict: { kind: 'gone' } };
  }
  const isSame = version === null || version === current.saved.version;
  const conflict = isSame ? null : ({ kind: 'changed', theirs: current.saved } as const);
  return { ...current, draft, conflict };
}
