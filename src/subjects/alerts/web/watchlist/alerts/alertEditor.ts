import { type ReadonlySignal, type Signal, signal } from '@preact/signals-react';
import type { AlertDraft, AlertPayload } from '#subjects/alerts/rules/alertDraft.ts';
import type { TypedNumber } from '#subjects/conditions/rules/draft.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ApiError, refusalOf } from '#web/api/client.ts';
import {
  type SavedAlert,
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
  withSaved,
  received,
} from './editorState.ts';

/** Pause after typing before a save, ms (specification, section 9). */
export const AUTOSAVE_MS = 500;

/** The alert after a request. With `isConflict`, it is the newer version that the server already had. */
export type SaveAnswer = { isConflict: boolean; alert: SavedAlert | null };

export type EditorDeps = {
  /** Sends a step; no alert in the answer means that it was deleted. @throws ApiError when it is refused */
  send(symbol: string, step: Step, saved: SavedAlert | null): Promise<SaveAnswer>;
  find(symbol: string, payload: AlertPayload): Promise<SavedAlert | null>;
  after(ms: number, run: () => void): () => void;
  onSaved(editor: AlertEditor, step: Step): void;
  /** Called if a request was refused, or the alert was changed or deleted elsewhere. */
  onTrouble(editor: AlertEditor): void;
};

const FAILED: Readonly<Record<Step['kind'], string>> = {
  create: MESSAGES.watchlist.saveAlert,
  change: MESSAGES.watchlist.saveAlert,
  active: MESSAGES.watchlist.toggleActive,
};

/** Whether the request may have succeeded, because its answer was lost or the server failed. */
const isUndecided = (problem: unknown): boolean => !(problem instanceof ApiError) || problem.status >= 500;

/** Edits and saves one alert. Requests run one at a time with the newest state, so that no save overtakes another. */
export class AlertEditor {
  readonly #state: Signal<EditorState>;
  readonly #deps: EditorDeps;
  #cancelPause = (): void => {};
  #sending: Promise<void> = Promise.resolve();
  #isHalted = false;
  #undecided: (Step & { kind: 'create' }) | null = null;
  /** Changes without an answer since the last confirmed save, for example because the server restarted. */
  #unanswered: AlertPayload[] = [];

  constructor(
    /** Stays the same for the life of the editor, also after the first save. */
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

  type(part: Partial<AlertDraft>): void {
    this.#change(part);
    this.#pause();
  }

  /** Sets the number that is being typed; null when typing ends. Only `type` puts it into the draft. */
  readonly setTyping = (typing: TypedNumber | null): void => {
    this.#patch({ typing });
    // Other changes of the conditions may have waited for the number.
    if (typing === null) this.#pause();
  };

  choose(part: Partial<AlertDraft>): void {
    this.#change(part);
    this.flush();
  }

  readonly setActive = (active: boolean): void => {
    const now = this.#now;
    const refusal = now.refusal?.step === 'active' ? null : now.refusal;
    this.#dispatch({ ...now, refusal, wantsActive: active, draft: { ...now.draft, active } });
  };

  readonly flush = (): void => {
    this.#cancelPause();
    if (needsSave(this.#now)) this.#dispatch({ ...this.#now, isDue: true });
  };

  readonly keepMine = (): void => this.#dispatch(keptMine(this.#now));

  readonly acceptTheirs = (): void => {
    const { conflict } = this.#now;
    if (conflict?.kind === 'changed') this.#dispatch(adopted(this.#now, conflict.theirs));
  };

  readonly dismissRefusal = (): void => this.#patch({ refusal: null });

  receive(view: SavedAlert): void {
    this.#dispatch(received(this.#now, view));
  }

  showGone(): void {
    this.#dispatch(gone(this.#now));
  }

  /** Pauses saving until `resume`. Waits for the running request. */
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
      // Sends without an await before, because a closing window would not wait.
      if (this.#undecided !== null && (await this.#applyCreated(this.#undecided))) return;
      this.#applyAnswer(step, await this.#deps.send(symbol, step, saved));
    } catch (problem) {
      this.#applyFailure(step, problem);
    }
  }

  /** Adopts an alert whose creation was not confirmed. A second copy would fire twice. */
  async #applyCreated(step: Step & { kind: 'create' }): Promise<boolean> {
    const created = await this.#deps.find(this.#now.symbol, step.payload);
    this.#undecided = null;
    if (created === null) return false;
    this.#dispatch({ ...withSaved(this.#now, step, created), isDue: true });
    this.#reportSaved(step);
    return true;
  }

  #applyAnswer(step: Step, { alert, isConflict }: SaveAnswer): void {
    const next =
      alert === null
        ? gone(this.#now)
        : isConflict
          ? overtaken(this.#now, step, alert, this.#unanswered)
          : withSaved(this.#now, step, alert);
    if (!isConflict && step.kind === 'change') this.#unanswered = [];
    this.#dispatch(next);
    if (next.conflict !== null) this.#complain();
    else this.#reportSaved(step);
  }

  #applyFailure(step: Step, problem: unknown): void {
    if (step.kind === 'create' && isUndecided(problem)) this.#undecided ??= step;
    if (step.kind === 'change' && isUndecided(problem)) this.#unanswered.push(step.payload);
    const isGone = step.kind !== 'create' && problem instanceof ApiError && problem.status === 404;
    const refusal = refusalOf(problem, FAILED[step.kind]);
    this.#dispatch(isGone ? gone(this.#now) : refused(this.#now, step, refusal));
    this.#complain();
  }

  // A halted editor, for example after the session ended, reports nothing.
  #reportSaved(step: Step): void {
    if (!this.#isHalted) this.#deps.onSaved(this, step);
  }

  #complain(): void {
    if (!this.#isHalted) this.#deps.onTrouble(this);
  }
}
