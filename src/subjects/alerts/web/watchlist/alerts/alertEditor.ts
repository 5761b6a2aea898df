import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { AlertDraft, AlertPayload } from '../../../rules/alertDraft.ts';
import type { TypedNumber } from '../../../../conditions/rules/draft.ts';
import { MESSAGES } from '../../../../../texts/messages.ts';
import { ApiError, refusalOf } from '../../../../../../web/api/client.ts';
import type { SavedAlert } from '../readAlerts.ts';
import {
  adopted,
  begun,
  type EditorState,
  gone,
  keptMine,
  needsSave,
  nextStep,
  overtaken,
  refused,
  type Step,
  taken,
  told,
} from './editorState.ts';

/** Typing is saved after a pause of this length, ms (specification, section 9). */
export const AUTOSAVE_MS = 500;

/** What a request was answered with: the alert as it stands, or that a newer version of it stood there already. */
export type SaveAnswer = { isConflict: boolean; alert: SavedAlert | null };

export type EditorDeps = {
  /** Sends a request. An answer without an alert means that it was deleted. @throws ApiError when it is refused */
  send(symbol: string, step: Step, saved: SavedAlert | null): Promise<SaveAnswer>;
  /** Finds an alert that says just this; null when there is none. @throws ApiError when that can't be read */
  find(symbol: string, payload: AlertPayload): Promise<SavedAlert | null>;
  /** Calls back after so many ms. Returns what prevents that. */
  after(ms: number, run: () => void): () => void;
  /** A request was taken. */
  onSaved(editor: AlertEditor, step: Step): void;
  /** A request was refused, or the alert was changed or deleted elsewhere. */
  onTrouble(editor: AlertEditor): void;
};

export type AlertEditor = {
  /** The same while the editor lives, also when its alert is saved for the first time. */
  key: string;
  state: ReadonlySignal<EditorState>;
  /** Changes what is typed; saved after a pause. */
  type(part: Partial<AlertDraft>): void;
  /** Says which number is under the cursor, which is no change until it is given to `type`; null when none is any more. */
  setTyping(typing: TypedNumber | null): void;
  /** Changes what is chosen; saved at once. */
  choose(part: Partial<AlertDraft>): void;
  setActive(active: boolean): void;
  /** Saves at once what waits to be. */
  flush(): void;
  keepMine(): void;
  takeTheirs(): void;
  dismissRefusal(): void;
  /** How the alert stands, as the server tells by itself. */
  tell(view: SavedAlert): void;
  /** The server has no such alert any more. */
  tellGone(): void;
  /** Saves nothing any more, until `resume`. Waits for what is under way. */
  halt(): Promise<void>;
  resume(): void;
};

const FAILED: Readonly<Record<Step['kind'], string>> = {
  create: MESSAGES.watchlist.saveAlert,
  change: MESSAGES.watchlist.saveAlert,
  active: MESSAGES.watchlist.toggleActive,
};

/** Whether a request may have been done although it failed: its answer was lost, or the server broke off. */
const isUndecided = (problem: unknown): boolean => !(problem instanceof ApiError) || problem.status >= 500;

/**
 * Edits one alert and saves it: one request at a time, the newest state when that one is answered, so that no save
 * overtakes another.
 */
export function createAlertEditor(key: string, start: EditorState, deps: EditorDeps): AlertEditor {
  const state = signal(start);
  let cancelPause = (): void => {};
  let sending: Promise<void> = Promise.resolve();
  let isHalted = false;
  let undecided: (Step & { kind: 'create' }) | null = null;
  /** Changes whose answers were lost, as by a restart of the server, since the last that was taken. */
  let unanswered: AlertPayload[] = [];

  const dispatch = (next: EditorState): void => {
    state.value = next;
    pump();
  };

  function pump(): void {
    const step = isHalted ? null : nextStep(state.peek());
    if (step === null) return;
    state.value = begun(state.peek(), step);
    sending = run(step);
  }

  // Of an editor that was given up, as at the end of a session, nobody is to hear any more.
  function complain(): void {
    if (!isHalted) deps.onTrouble(editor);
  }

  /** What was created without an answer is taken over: created twice, it would fire twice. */
  async function takeCreated(step: Step & { kind: 'create' }): Promise<boolean> {
    const created = await deps.find(state.peek().symbol, step.payload);
    undecided = null;
    if (created === null) return false;
    dispatch({ ...taken(state.peek(), step, created), isDue: true });
    if (!isHalted) deps.onSaved(editor, step);
    return true;
  }

  async function run(step: Step): Promise<void> {
    const { symbol, saved } = state.peek();
    try {
      // Else sent at once: a window that is being closed waits for nothing.
      if (undecided !== null && (await takeCreated(undecided))) return;
      const { alert, isConflict } = await deps.send(symbol, step, saved);
      const now = state.peek();
      const next =
        alert === null
          ? gone(now)
          : isConflict
            ? overtaken(now, step, alert, unanswered)
            : taken(now, step, alert);
      if (!isConflict && step.kind === 'change') unanswered = [];
      dispatch(next);
      if (next.conflict !== null) complain();
      else if (!isHalted) deps.onSaved(editor, step);
    } catch (problem) {
      if (step.kind === 'create' && isUndecided(problem)) undecided ??= step;
      if (step.kind === 'change' && isUndecided(problem)) unanswered = [...unanswered, step.payload];
      const isGone = step.kind !== 'create' && problem instanceof ApiError && problem.status === 404;
      const now = state.peek();
      dispatch(isGone ? gone(now) : refused(now, step, refusalOf(problem, FAILED[step.kind])));
      complain();
    }
  }

  function flush(): void {
    cancelPause();
    if (needsSave(state.peek())) dispatch({ ...state.peek(), isDue: true });
  }

  function change(part: Partial<AlertDraft>): void {
    cancelPause();
    state.value = { ...state.peek(), draft: { ...state.peek().draft, ...part } };
  }

  const editor: AlertEditor = {
    key,
    state,
    type(part) {
      change(part);
      cancelPause = deps.after(AUTOSAVE_MS, flush);
    },
    setTyping(typing) {
      state.value = { ...state.peek(), typing };
      if (typing !== null) return;
      // What else was changed of the conditions may have waited for it.
      cancelPause();
      cancelPause = deps.after(AUTOSAVE_MS, flush);
    },
    choose(part) {
      change(part);
      flush();
    },
    setActive(active) {
      const now = state.peek();
      const refusal = now.refusal?.step === 'active' ? null : now.refusal;
      dispatch({ ...now, refusal, wantsActive: active, draft: { ...now.draft, active } });
    },
    flush,
    keepMine: () => dispatch(keptMine(state.peek())),
    takeTheirs() {
      const { conflict } = state.peek();
      if (conflict?.kind === 'changed') dispatch(adopted(state.peek(), conflict.theirs));
    },
    dismissRefusal() {
      state.value = { ...state.peek(), refusal: null };
    },
    tell: (view) => dispatch(told(state.peek(), view)),
    tellGone: () => dispatch(gone(state.peek())),
    halt() {
      cancelPause();
      isHalted = true;
      return sending;
    },
    resume() {
      isHalted = false;
      flush();
    },
  };
  return editor;
}
