import {
  type AlertDraft,
  type AlertPayload,
  draftOfAlert,
  payloadKey,
  payloadOf,
} from '#subjects/alerts/rules/alertDraft.ts';
import { logicOf, type TypedNumber, type DraftCondition } from '#subjects/conditions/rules/draft.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { pickTold, STOCK_OPTIONS } from '#subjects/alerts/answers/options.ts';
import { destinationsOf } from '#subjects/alerts/rules/alert.ts';
import type { Refusal } from '#lib/result.ts';
import type { SavedAlert } from '../savedAlert.ts';
import { isRecord } from '#lib/json.ts';
import { readList } from '#lib/read.ts';

/** A request that saves something of an alert. */
export type Step =
  | { kind: 'create'; payload: AlertPayload; draft: AlertDraft }
  | { kind: 'change'; id: number; version: number | null; payload: AlertPayload; draft: AlertDraft }
  | { kind: 'active'; id: number; active: boolean };

/** Somebody else was faster: the alert as they left it, or that they deleted it. */
export type Conflict = { kind: 'changed'; theirs: SavedAlert } | { kind: 'gone' };

export type EditorState = {
  symbol: string;
  /** As the server held it last; null for an alert that was never saved. */
  saved: SavedAlert | null;
  draft: AlertDraft;
  /** The draft as it was when the server held just that, conditions only when they were whole. */
  clean: AlertDraft;
  /** The number under the cursor, which is no part of the draft yet; null for none. */
  typing: TypedNumber | null;
  /** What was changed is to be saved now: the pause after typing is over, or it was no typing. */
  isDue: boolean;
  /** What the active toggle was set to and the server has not confirmed; null when nothing. */
  wantsActive: boolean | null;
  inFlight: Step | null;
  /** Why the last request was refused; null when none was. */
  refusal: (Refusal & { step: Step['kind'] }) | null;
  conflict: Conflict | null;
};

const NO_LOGIC: Logic = { op: 'AND', conditions: [] };

const draftOfSaved = (saved: SavedAlert): AlertDraft =>
  draftOfAlert({ ...saved, logic_json: saved.logic_json ?? NO_LOGIC });

/** The same for alerts of which a person would say that they are the same. */
const keyOf = (saved: SavedAlert): string =>
  payloadKey({ ...saved, logic_json: saved.logic_json ?? NO_LOGIC });

/** Whether an alert says what a payload does. */
export const isOf = (saved: SavedAlert, payload: AlertPayload): boolean =>
  keyOf(saved) === payloadKey(payload);

/** The same for drafts that a person would say are the same, whether or not they are on. */
const draftKey = (draft: AlertDraft): string =>
  JSON.stringify([pickTold(STOCK_OPTIONS, draft), destinationsOf(draft.destinations), draft.conditions]);

/** An editor that begins with a saved alert. */
export function stateOfSaved(saved: SavedAlert): EditorState {
  const draft = draftOfSaved(saved);
  return { ...stateOfNew(saved.symbol, draft), saved };
}

/** An editor of an alert that is not saved yet. */
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

/** Whether the server does not hold what stands in the editor. */
export const isUnsaved = ({ draft, clean, typing, inFlight, conflict }: EditorState): boolean =>
  conflict !== null ||
  typing !== null ||
  (inFlight !== null && inFlight.kind !== 'active') ||
  draftKey(draft) !== draftKey(clean);

/** The draft as far as it may be saved: while a number is under the cursor, with the conditions that the server holds. */
const savable = ({ draft, clean, typing }: EditorState): AlertDraft =>
  typing === null ? draft : { ...draft, conditions: clean.conditions };

/** What would be saved; null when that is what the server holds, or nothing that can be saved. */
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

/** Whether something that can be saved is not. */
export const needsSave = (state: EditorState): boolean => payloadToSave(state) !== null;

/** The next request; null while one is under way, while a conflict is open, and when nothing is to be sent. */
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

/** A request begins. */
export const begun = (state: EditorState, step: Step): EditorState => ({
  ...state,
  inFlight: step,
  isDue: step.kind === 'active' ? state.isDue : false,
  refusal: null,
});

/**
 * The server took a request.
 * @param saved the alert as it answered
 */
export function taken(state: EditorState, step: Step, saved: SavedAlert): EditorState {
  const isSettled = state.wantsActive === null || state.wantsActive === saved.active;
  const next = { ...state, saved, inFlight: null, wantsActive: isSettled ? null : state.wantsActive };
  const active = next.wantsActive ?? saved.active;
  const draft = { ...state.draft, active };
  if (step.kind === 'active') return { ...next, draft };
  const isWhole = payloadOf(step.draft, null) !== null;
  const conditions = isWhole ? step.draft.conditions : state.clean.conditions;
  return { ...next, draft, clean: { ...step.draft, conditions } };
}

/** A request failed: what was typed stays, a toggle goes back. */
export function refused(state: EditorState, step: Step, refusal: Refusal): EditorState {
  const next = { ...state, inFlight: null, refusal: { ...refusal, step: step.kind } };
  if (step.kind !== 'active') return next;
  const active = state.saved?.active ?? state.draft.active;
  return { ...next, wantsActive: null, draft: { ...state.draft, active } };
}

/** The alert was deleted elsewhere. */
export const gone = (state: EditorState): EditorState => ({
  ...state,
  inFlight: null,
  wantsActive: null,
  conflict: { kind: 'gone' },
});

/**
 * A change was made on a version that is not the newest. Where the newest differs only in what this window did not
 * change and no save sends, such as the active toggle, the change is sent again on top of it; so it is where the newest
 * is what this window sent itself.
 * @param unanswered changes of this window that may have been done, although their answers were lost
 */
export function overtaken(
  state: EditorState,
  step: Step,
  theirs: SavedAlert,
  unanswered: readonly AlertPayload[],
): EditorState {
  if (step.kind === 'active') return { ...adopted(state, theirs), wantsActive: state.wantsActive };
  if (isOf(theirs, step.payload)) return taken(state, step, theirs);
  const next = { ...state, inFlight: null };
  const isOwn = unanswered.some((payload) => isOf(theirs, payload));
  if (isOwn || (state.saved !== null && keyOf(theirs) === keyOf(state.saved))) {
    return { ...next, saved: theirs, isDue: true };
  }
  return { ...next, conflict: { kind: 'changed', theirs } };
}

/** The editor shows what the server holds. */
export const adopted = (state: EditorState, saved: SavedAlert): EditorState => ({
  ...stateOfSaved(saved),
  inFlight: state.inFlight,
});

/** What the person wrote is saved over what somebody else did; as a new alert, when that was deleted. */
export function keptMine(state: EditorState): EditorState {
  if (state.conflict === null) return state;
  const saved = state.conflict.kind === 'changed' ? state.conflict.theirs : null;
  const clean = saved === null ? state.clean : draftOfSaved(saved);
  return { ...state, saved, clean, conflict: null, isDue: true };
}

/** The server tells how the alert stands now, asked or not. What is being edited is left alone. */
export function told(state: EditorState, view: SavedAlert): EditorState {
  const { saved } = state;
  if (saved === null || state.inFlight !== null || state.conflict !== null) return state;
  if (view.version !== null && saved.version !== null && view.version < saved.version) return state;
  const active = state.wantsActive ?? view.active;
  if (keyOf(view) === keyOf(saved)) return { ...state, saved: view, draft: { ...state.draft, active } };
  if (!isUnsaved(state)) return adopted(state, view);
  const { logic_json, destinations, version } = saved;
  return {
    ...state,
    saved: { ...view, ...pickTold(STOCK_OPTIONS, saved), logic_json, destinations, version },
    draft: { ...state.draft, active },
  };
}

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
