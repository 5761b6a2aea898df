import type { Known } from '#lib/contract/fields.ts';
import type { alert } from '../../../answers/alert.ts';
import {
  type AlertDraft,
  type AlertPayload,
  draftOfAlert,
  payloadKey,
  payloadOf,
} from '#subjects/alerts/rules/alertDraft.ts';
import { logicOf, type TypedNumber, type DraftCondition } from '#subjects/conditions/rules/draft.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { pickValues, STOCK_OPTIONS } from '#subjects/alerts/answers/options.ts';
import { destinationsOf } from '#subjects/alerts/rules/alert.ts';
import type { Refusal } from '#lib/result.ts';
import { isRecord } from '#lib/json.ts';
import { readList } from '#lib/read.ts';

export type KnownAlert = Known<typeof alert>;

/**
 * An alert as the server stores it. `logic_json` is null if it cannot be read, for example from a newer server: such an
 * alert can be switched and deleted, but not edited. `version` is null if the server has none.
 */
export type SavedAlert = Omit<KnownAlert, 'arms_in_ms'> & {
  /** When a pending alert fires unless undone, epoch ms by the local clock; null if it is not pending. */
  armsAt?: number | null;
};

export type Step =
  | { kind: 'create'; payload: AlertPayload; draft: AlertDraft }
  | { kind: 'change'; id: number; version: number | null; payload: AlertPayload; draft: AlertDraft }
  | { kind: 'active'; id: number; active: boolean };

export type Conflict = { kind: 'changed'; theirs: SavedAlert } | { kind: 'gone' };

export type EditorState = {
  symbol: string;
  /** Last known server version; null if never saved. */
  saved: SavedAlert | null;
  draft: AlertDraft;
  /** The draft that equals the server's version. It has only complete conditions. */
  clean: AlertDraft;
  /** The number that is being typed and is not in the draft yet; null for none. */
  typing: TypedNumber | null;
  /** True if changes are due: the pause has ended, or a choice needs no pause. */
  isDue: boolean;
  /** Requested active state that the server has not confirmed; null for none. */
  wantsActive: boolean | null;
  inFlight: Step | null;
  refusal: (Refusal & { step: Step['kind'] }) | null;
  conflict: Conflict | null;
};

const NO_LOGIC: Logic = { op: 'AND', conditions: [] };

const draftOfSaved = (saved: SavedAlert): AlertDraft =>
  draftOfAlert({ ...saved, logic_json: saved.logic_json ?? NO_LOGIC });

/** A key that is equal for alerts which a user would call identical. */
const keyOf = (saved: SavedAlert): string =>
  payloadKey({ ...saved, logic_json: saved.logic_json ?? NO_LOGIC });

export const isOf = (saved: SavedAlert, payload: AlertPayload): boolean =>
  keyOf(saved) === payloadKey(payload);

/** A key that is equal for drafts which a user would call identical, active or not. */
const draftKey = (draft: AlertDraft): string =>
  JSON.stringify([pickValues(STOCK_OPTIONS, draft), destinationsOf(draft.destinations), draft.conditions]);

export function stateOfSaved(saved: SavedAlert): EditorState {
  const draft = draftOfSaved(saved);
  return { ...stateOfNew(saved.symbol, draft), saved };
}

export const stateOfNew = (symbol: string, draft: AlertDraft): EditorState => ({
  symbol,
  saved: null,
  draft,
  clean: draft,
  typing: null,
  isDue: false,
  wantsActive: null,
  inFlight: null,
  refusal: null,
  conflict: null,
});

export const isUnsaved = ({ draft, clean, typing, inFlight, conflict }: EditorState): boolean =>
  conflict !== null ||
  typing !== null ||
  (inFlight !== null && inFlight.kind !== 'active') ||
  draftKey(draft) !== draftKey(clean);

/** The draft to save. While a number is being typed, it has the saved conditions. */
const savable = ({ draft, clean, typing }: EditorState): AlertDraft =>
  typing === null ? draft : { ...draft, conditions: clean.conditions };

/** Null if nothing changed or the draft cannot be saved. */
function payloadToSave(state: EditorState): AlertPayload | null {
  const { clean, saved, typing } = state;
  const draft = savable(state);
  if (saved === null) return typing === null ? payloadOf(draft, null) : null;
  if (saved.logic_json === null) return null;
  const held = logicOf(clean.conditions);
  const payload = payloadOf(draft, held);
  const before = payloadOf(clean, held);
  return payload && before && payloadKey(payload) !== payloadKey(before) ? payload : null;
}

export const needsSave = (state: EditorState): boolean => payloadToSave(state) !== null;

/** The next request; null while one runs, during a conflict, or if there is nothing to send. */
export function nextStep(state: EditorState): Step | null {
  const { saved, wantsActive } = state;
  const draft = savable(state);
  if (state.inFlight !== null || state.conflict !== null) return null;
  const payload = state.isDue ? payloadToSave(state) : null;
  if (payload !== null) {
    if (saved === null) return { kind: 'create', payload, draft };
    return { kind: 'change', id: saved.id, version: saved.version, payload, draft };
  }
  if (saved === null || wantsActive === null || wantsActive === saved.active) return null;
  return { kind: 'active', id: saved.id, active: wantsActive };
}

export const begun = (state: EditorState, step: Step): EditorState => ({
  ...state,
  inFlight: step,
  isDue: step.kind === 'active' ? state.isDue : false,
  refusal: null,
});

export function withSaved(state: EditorState, step: Step, saved: SavedAlert): EditorState {
  const isSettled = state.wantsActive === null || state.wantsActive === saved.active;
  const next = { ...state, saved, inFlight: null, wantsActive: isSettled ? null : state.wantsActive };
  const active = next.wantsActive ?? saved.active;
  const draft = { ...state.draft, active };
  if (step.kind === 'active') return { ...next, draft };
  const isWhole = payloadOf(step.draft, null) !== null;
  const conditions = isWhole ? step.draft.conditions : state.clean.conditions;
  return { ...next, draft, clean: { ...step.draft, conditions } };
}

/** The state after a failed request: the text stays, and a toggle reverts. */
export function refused(state: EditorState, step: Step, refusal: Refusal): EditorState {
  const next = { ...state, inFlight: null, refusal: { ...refusal, step: step.kind } };
  if (step.kind !== 'active') return next;
  const active = state.saved?.active ?? state.draft.active;
  return { ...next, wantsActive: null, draft: { ...state.draft, active } };
}

export const gone = (state: EditorState): EditorState => ({
  ...state,
  inFlight: null,
  wantsActive: null,
  conflict: { kind: 'gone' },
});

/**
 * The state after a change that was based on an old version. The change is sent again if the newer version differs only
 * in members that no save sends, such as the active toggle, or if this window made it.
 * @param unanswered changes of this window that may have succeeded although their answers were lost
 */
export function overtaken(
  state: EditorState,
  step: Step,
  theirs: SavedAlert,
  unanswered: readonly AlertPayload[],
): EditorState {
  if (step.kind === 'active') return { ...adopted(state, theirs), wantsActive: state.wantsActive };
  if (isOf(theirs, step.payload)) return withSaved(state, step, theirs);
  const next = { ...state, inFlight: null };
  const isOwn = unanswered.some((payload) => isOf(theirs, payload));
  if (isOwn || (state.saved !== null && keyOf(theirs) === keyOf(state.saved))) {
    return { ...next, saved: theirs, isDue: true };
  }
  return { ...next, conflict: { kind: 'changed', theirs } };
}

export const adopted = (state: EditorState, saved: SavedAlert): EditorState => ({
  ...stateOfSaved(saved),
  inFlight: state.inFlight,
});

/** The state after the user chose the own version: it overwrites the other change, or recreates a deleted alert. */
export function keptMine(state: EditorState): EditorState {
  if (state.conflict === null) return state;
  const saved = state.conflict.kind === 'changed' ? state.conflict.theirs : null;
  const clean = saved === null ? state.clean : draftOfSaved(saved);
  return { ...state, saved, clean, conflict: null, isDue: true };
}

/** Merges the server's current version; unsaved edits stay. */
export function received(state: EditorState, view: SavedAlert): EditorState {
  const { saved } = state;
  if (saved === null || state.inFlight !== null || state.conflict !== null) return state;
  if (view.version !== null && saved.version !== null && view.version < saved.version) return state;
  const active = state.wantsActive ?? view.active;
  if (keyOf(view) === keyOf(saved)) return { ...state, saved: view, draft: { ...state.draft, active } };
  if (!isUnsaved(state)) return adopted(state, view);
  const { logic_json, destinations, version } = saved;
  return {
    ...state,
    saved: { ...view, ...pickValues(STOCK_OPTIONS, saved), logic_json, destinations, version },
    draft: { ...state.draft, active },
  };
}

export type HeldAlert = {
  symbol: string;
  id: number | null;
  version: number | null;
  draft: AlertDraft;
};

export function heldOf(state: EditorState): HeldAlert | null {
  const { symbol, saved, draft } = state;
  return isUnsaved(state) ? { symbol, id: saved?.id ?? null, version: saved?.version ?? null, draft } : null;
}

/** Restores NaN, an unfinished number, which JSON turned into null. */
const revived = (condition: DraftCondition): DraftCondition =>
  condition.rhs?.type === 'number' && !Number.isFinite(condition.rhs.value)
    ? { ...condition, rhs: { type: 'number', value: Number.NaN } }
    : condition;

function readHeldAlert(value: unknown): HeldAlert | null {
  if (!isRecord(value) || typeof value.symbol !== 'string' || !isRecord(value.draft)) return null;
  const held = value as HeldAlert;
  return { ...held, draft: { ...held.draft, conditions: held.draft.conditions.map(revived) } };
}

export const readHeldAlerts = (kept: unknown): HeldAlert[] => readList(kept, readHeldAlert);

/**
 * Resumes an interrupted edit. If the alert was changed or deleted in the meantime, the user chooses.
 * @param current null if the server has no such alert
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
