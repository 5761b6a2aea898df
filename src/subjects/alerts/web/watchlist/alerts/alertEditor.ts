import { type ReadonlySignal, type Signal, signal } from '@preact/signals-react';
import type { AlertDraft, AlertPayload } from '#subjects/alerts/rules/alertDraft.ts';
import type { TypedNumber } from '#subjects/conditions/rules/draft.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ApiError, refusalOf } from '#web/api/client.ts';
import type { SavedAlert } from '../savedAlert.ts';
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
  /** Calls back after this many ms. Returns what prevents that. */
  after(ms: number, run: () => void): () => void;
  /** A request was taken. */
  onSaved(editor: AlertEditor, step: Step): void;
  /** A request was refused, or the alert was changed or deleted elsewhere. */
  onTrouble(editor: AlertEditor): void;
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
export class AlertEditor {
  readonly #state: Signal<EditorState>;
  readonly #deps: EditorDeps;
  #cancelPause = (): void => {};
  #sending: Promise<void> = Promise.resolve();
  #isHalted = false;
  #undecided: (Step & { kind: 'create' }) | null = null;
  /** Changes whose answers were lost, as by a restart of the server, since the last that was taken. */
  #unanswered: AlertPayload[] = [];

  constructor(
    /** The same while the editor lives, also when its alert is saved for the first time. */
    readonly key: string,
    start: EditorState,
    deps: EditorDeps,
  ) {
    this.#state = signal(start);
    this.#deps = deps;
  }

  get state(): ReadonlySignal<EditorState> {
    return this.#state;
  }

  /** Changes what is typed; saved after a pause. */
  type(part: Partial<AlertDraft>): void {
    this.#change(part);
    this.#pause();
  }

  /** Says which number is under the cursor, which is no change until it is given to `type`; null when none is any more. */
  readonly setTyping = (typing: TypedNumber | null): void => {
    this.#patch({ typing });
    // What else was changed of the conditions may have waited for it.
    if (typing === null) this.#pause();
  };

  /** Changes what is chosen; saved at once. */
  choose(part: Partial<AlertDraft>): void {
    this.#change(part);
    this.flush();
  }

  readonly setActive = (active: boolean): void => {
    const now = this.#now;
    const refusal = now.refusal?.step === 'active' ? null : now.refusal;
    this.#dispatch({ ...now, refusal, wantsActive: active, draft: { ...now.draft, active } });
  };

  /** Saves at once what waits to be. */
  readonly flush = (): void => {
    this.#cancelPause();
    if (needsSave(this.#now)) this.#dispatch({ ...this.#now, isDue: true });
  };

  readonly keepMine = (): void => this.#dispatch(keptMine(this.#now));

  readonly takeTheirs = (): void => {
    const { conflict } = this.#now;
    if (conflict?.kind === 'changed') this.#dispatch(adopted(this.#now, conflict.theirs));
  };

  readonly dismissRefusal = (): void => this.#patch({ refusal: null });

  /** How the alert stands, as the server tells by itself. */
  tell(view: SavedAlert): void {
    this.#dispatch(told(this.#now, view));
  }

  /** The server has no such alert any more. */
  tellGone(): void {
    this.#dispatch(gone(this.#now));
  }

  /** Saves nothing any more, until `resume`. Waits for what is under way. */
  halt(): Promise<void> {
    this.#cancelPause();
    this.#isHalted = true;
    return this.#sending;
  }

  resume(): void {
    this.#isHalted = false;
    this.flush();
  }

  get #now(): EditorState {
    return this.#state.peek();
  }

  #patch(part: Partial<EditorState>): void {
    this.#state.value = { ...this.#now, ...part };
  }

  #change(part: Partial<AlertDraft>): void {
    this.#cancelPause();
    this.#patch({ draft: { ...this.#now.draft, ...part } });
  }

  #pause(): void {
    this.#cancelPause();
    this.#cancelPause = this.#deps.after(AUTOSAVE_MS, this.flush);
  }

  /** Takes on a state and sends what it asks for. */
  #dispatch(next: EditorState): void {
    this.#state.value = next;
    const step = this.#isHalted ? null : nextStep(next);
    if (step === null) return;
    this.#state.value = begun(next, step);
    this.#sending = this.#run(step);
  }

  async #run(step: Step): Promise<void> {
    const { symbol, saved } = this.#now;
    try {
      // Else sent at once: a window that is being closed waits for nothing.
      if (this.#undecided !== null && (await this.#takeCreated(this.#undecided))) return;
      this.#takeAnswer(step, await this.#deps.send(symbol, step, saved));
    } catch (problem) {
      this.#takeFailure(step, problem);
    }
  }

  /** What was created without an answer is taken over: created twice, it would fire twice. */
  async #takeCreated(step: Step & { kind: 'create' }): Promise<boolean> {
    const created = await this.#deps.find(this.#now.symbol, step.payload);
    this.#undecided = null;
    if (created === null) return false;
    this.#dispatch({ ...taken(this.#now, step, created), isDue: true });
    this.#sayTaken(step);
    return true;
  }

  #takeAnswer(step: Step, { alert, isConflict }: SaveAnswer): void {
    const next =
      alert === null
        ? gone(this.#now)
        : isConflict
          ? overtaken(this.#now, step, alert, this.#unanswered)
          : taken(this.#now, step, alert);
    if (!isConflict && step.kind === 'change') this.#unanswered = [];
    this.#dispatch(next);
    if (next.conflict !== null) this.#complain();
    else this.#sayTaken(step);
  }

  #takeFailure(step: Step, problem: unknown): void {
    if (step.kind === 'create' && isUndecided(problem)) this.#undecided ??= step;
    if (step.kind === 'change' && isUndecided(problem)) this.#unanswered.push(step.payload);
    const isGone = step.kind !== 'create' && problem instanceof ApiError && problem.status === 404;
    const refusal = refusalOf(problem, FAILED[step.kind]);
    this.#dispatch(isGone ? gone(this.#now) : refused(this.#now, step, refusal));
    this.#complain();
  }

  // Of an editor that was given up, as at the end of a session, nobody is to hear any more.
  #sayTaken(step: Step): void {
    if (!this.#isHalted) this.#deps.onSaved(this, step);
  }

  #complain(): void {
    if (!this.#isHalted) this.#deps.onTrouble(this);
  }
}
