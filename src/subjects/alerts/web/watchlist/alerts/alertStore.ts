import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { AlertDraft } from '#subjects/alerts/rules/alertDraft.ts';
import { MESSAGES } from '#texts/messages.ts';
import { offerSound, openSymbols, showFailure } from '../state.ts';
import { ApiError, messageOf } from '#web/api/client.ts';
import { onReconnect } from '#web/shared/onReconnect.ts';
import { deleteAlert, fetchAlerts, postUndo, sendStep } from '../api.ts';
import type { AlertTrigger } from '#subjects/alerts/web/shared/alertStream.ts';
import type { SavedAlert } from '../savedAlert.ts';
import { AlertEditor, type EditorDeps } from './alertEditor.ts';
import {
  type EditorState,
  isOf,
  isUnsaved,
  stateOfNew,
  stateOfSaved,
  type HeldAlert,
  heldOf,
  restored,
} from './editorState.ts';

/** The alerts on one symbol, those that are not saved yet last. */
export type SymbolAlerts = {
  isLoading: boolean;
  /** They were loaded once. */
  isLoaded: boolean;
  /** Why the last load failed; null when it did not. */
  error: string | null;
  editors: readonly AlertEditor[];
};

const NOTHING: SymbolAlerts = { isLoading: false, isLoaded: false, error: null, editors: [] };

const bySymbol = signal<ReadonlyMap<string, SymbolAlerts>>(new Map());
/** The alerts of every symbol whose row was opened. */
export const loadedAlerts: ReadonlySignal<ReadonlyMap<string, SymbolAlerts>> = bySymbol;

export const alertsOn = (symbol: string): SymbolAlerts => bySymbol.value.get(symbol) ?? NOTHING;
const peekAt = (symbol: string): SymbolAlerts => bySymbol.peek().get(symbol) ?? NOTHING;

function put(symbol: string, part: Partial<SymbolAlerts>): void {
  bySymbol.value = new Map([...bySymbol.peek(), [symbol, { ...peekAt(symbol), ...part }]]);
}

const expanded = signal<ReadonlySet<string>>(new Set());
/** The editors that show more than a line, by their keys. */
export const expandedAlerts: ReadonlySignal<ReadonlySet<string>> = expanded;

/** Shows an editor in full, or as a line. */
export function setExpanded(key: string, isExpanded: boolean): void {
  const others = [...expanded.peek()].filter((other) => other !== key);
  expanded.value = new Set(isExpanded ? [...others, key] : others);
}

let nextKey = 0;
let held: readonly HeldAlert[] = [];
const loads = new Map<string, number>();

const DEPS: EditorDeps = {
  send: sendStep,
  find: async (symbol, payload) => (await fetchAlerts(symbol)).find((alert) => isOf(alert, payload)) ?? null,
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  onSaved: (editor, step) => {
    if (step.kind !== 'create') return;
    const { symbol } = editor.state.peek();
    // The list may have been read between its creation and the answer, and have an editor of it already.
    const editors = peekAt(symbol).editors.filter((one) => one === editor || idOf(one) !== idOf(editor));
    put(symbol, { editors });
    loadAnew(symbol);
    offerSound();
  },
  onTrouble: (editor) => {
    const { symbol, refusal, inFlight } = editor.state.peek();
    if (refusal !== null && inFlight === null) onReconnect(saveFailed);
    if (openSymbols.peek().has(symbol)) return;
    showFailure(`${symbol}: ${refusal?.message ?? 'An alert was changed elsewhere while you edited it.'}`);
  },
};

/** Tries again what could not be saved for want of a network. */
function saveFailed(): void {
  for (const { editors } of bySymbol.peek().values()) {
    for (const editor of editors) if (editor.state.peek().refusal !== null) editor.flush();
  }
}

function newEditor(start: EditorState): AlertEditor {
  nextKey += 1;
  return new AlertEditor(`alert ${nextKey}`, start, DEPS);
}

const idOf = (editor: AlertEditor): number | null => editor.state.peek().saved?.id ?? null;

/** The editors of what the server tells: those there are, told of it, and new ones. Unsaved work is kept. */
function merged(editors: readonly AlertEditor[], alerts: readonly SavedAlert[]): AlertEditor[] {
  const known = new Map(editors.flatMap((editor) => (idOf(editor) === null ? [] : [[idOf(editor), editor]])));
  const told = alerts.map((alert) => {
    const editor = known.get(alert.id);
    editor?.tell(alert);
    return editor ?? newEditor(stateOfSaved(alert));
  });
  const kept = editors.filter((editor) => !told.includes(editor) && isUnsavedOrNew(editor.state.peek()));
  for (const editor of kept) if (idOf(editor) !== null) editor.tellGone();
  return [...told, ...kept];
}

const isUnsavedOrNew = (state: EditorState): boolean => state.saved === null || isUnsaved(state);

/** Loads the alerts on a symbol, or loads them again. When loads overlap, the one that was started last wins. */
export async function loadAlerts(symbol: string): Promise<void> {
  const own = (loads.get(symbol) ?? 0) + 1;
  loads.set(symbol, own);
  put(symbol, { isLoading: true, error: null });
  try {
    const alerts = await fetchAlerts(symbol);
    if (loads.get(symbol) !== own) return;
    const isFirst = !peekAt(symbol).isLoaded;
    const editors = withHeld(symbol, merged(peekAt(symbol).editors, alerts));
    const [only] = editors;
    if (isFirst && only && editors.length === 1) setExpanded(only.key, true);
    put(symbol, { isLoading: false, isLoaded: true, editors });
  } catch (problem) {
    if (loads.get(symbol) !== own) return;
    put(symbol, { isLoading: false, error: messageOf(problem, MESSAGES.watchlist.loadAlerts) });
    onReconnect(loadMissing);
  }
}

/**
 * Puts into the editor of an alert that it fired, before anything is read again. A trigger that is told later than one that
 * the editor knows, as after a break, says nothing of how the alert stands now.
 */
export function tellTrigger({ alertId, at, marketAt, deactivated }: AlertTrigger): void {
  for (const { editors } of bySymbol.peek().values()) {
    const editor = editors.find((one) => idOf(one) === alertId);
    const saved = editor?.state.peek().saved ?? null;
    if (!editor || saved === null || Date.parse(saved.last_triggered_at ?? '') >= at) continue;
    editor.tell({
      ...saved,
      last_triggered_at: new Date(at).toISOString(),
      last_triggered_market_time: new Date(marketAt).toISOString(),
      active: saved.active && !deactivated,
    });
  }
}

/** An answer that is still awaited may not know of an alert that came or went: it is asked for again. */
function loadAnew(symbol: string): void {
  if (peekAt(symbol).isLoading) void loadAlerts(symbol);
}

function loadMissing(): void {
  for (const [symbol, { error }] of bySymbol.peek()) if (error !== null) void loadAlerts(symbol);
}

/** Goes on with what was being edited when the session ended, as soon as the alerts of each symbol are loaded. */
export function restoreAlerts(kept: readonly HeldAlert[]): void {
  held = kept;
}

/** What is unsaved of all alerts; undefined when nothing is. */
export function unsavedAlerts(): HeldAlert[] | undefined {
  const editors = [...bySymbol.peek().values()].flatMap((one) => one.editors);
  const unsaved = editors.flatMap((editor) => heldOf(editor.state.peek()) ?? []);
  return unsaved.length > 0 ? unsaved : undefined;
}

function withHeld(symbol: string, editors: readonly AlertEditor[]): AlertEditor[] {
  const own = held.filter((one) => one.symbol === symbol);
  held = held.filter((one) => one.symbol !== symbol);
  const byId = new Map(own.flatMap((one) => (one.id === null ? [] : [[one.id, one]])));
  const replaced = editors.map((editor) => {
    const state = editor.state.peek();
    const kept = byId.get(state.saved?.id ?? -1);
    return kept ? resumed(restored(state, kept)) : editor;
  });
  const known = new Set(editors.map(idOf));
  const added = own
    .filter(({ id }) => id === null || !known.has(id))
    .map((one) => resumed(restored(null, one)));
  return [...replaced, ...added];
}

/** An editor whose content is saved after the usual pause. */
function resumed(start: EditorState): AlertEditor {
  const editor = newEditor(start);
  setExpanded(editor.key, true);
  editor.type({});
  return editor;
}

/** Begins an alert that is not saved yet. */
export function beginAlert(symbol: string, draft: AlertDraft): AlertEditor {
  const editor = newEditor(stateOfNew(symbol, draft));
  setExpanded(editor.key, true);
  put(symbol, { editors: [...peekAt(symbol).editors, editor] });
  return editor;
}

function take(symbol: string, editor: AlertEditor): void {
  put(symbol, { editors: peekAt(symbol).editors.filter((one) => one !== editor) });
}

/**
 * Deletes an alert; one that was never saved is only dropped. A save that is under way is awaited, so that it does not
 * bring the alert back.
 * @returns why it was not deleted, or null when it was
 */
export async function removeAlert(editor: AlertEditor): Promise<string | null> {
  const { symbol } = editor.state.peek();
  await editor.halt();
  const { saved, conflict } = editor.state.peek();
  try {
    if (saved !== null && conflict?.kind !== 'gone') await deleteAlert(saved.id);
  } catch (problem) {
    if (!(problem instanceof ApiError && problem.status === 404)) {
      editor.resume();
      await loadAlerts(symbol);
      return messageOf(problem, MESSAGES.watchlist.deleteAlert);
    }
  }
  take(symbol, editor);
  loadAnew(symbol);
  return null;
}

/** Takes back what an alert was changed to while it waits to be armed. */
export async function undoArming(editor: AlertEditor): Promise<void> {
  const { saved, symbol } = editor.state.peek();
  if (saved === null) return;
  try {
    const { alert, refusal } = await postUndo(saved);
    if (alert !== null) editor.tell(alert);
    if (refusal !== null) showFailure(`${symbol}: ${refusal}`);
  } catch (problem) {
    showFailure(`${symbol}: ${messageOf(problem, MESSAGES.watchlist.saveAlert)}`);
  }
  await loadAlerts(symbol);
}

/** Saves at once what waits to be: of one symbol, or of all. */
export function flushAlerts(symbol?: string): void {
  for (const [code, { editors }] of bySymbol.peek()) {
    if (symbol === undefined || code === symbol) for (const editor of editors) editor.flush();
  }
}

/** Drops what was begun on a symbol and left as it was. */
export function dropUntouched(symbol: string): void {
  const { editors } = peekAt(symbol);
  const kept = editors.filter((editor) => {
    const state = editor.state.peek();
    return state.saved !== null || isUnsaved(state);
  });
  if (kept.length < editors.length) put(symbol, { editors: kept });
}

/** Drops the alerts of a symbol that was removed, with what is unsaved of them. */
export function forgetAlerts(symbol: string): void {
  for (const editor of peekAt(symbol).editors) void editor.halt();
  loads.set(symbol, (loads.get(symbol) ?? 0) + 1);
  bySymbol.value = new Map([...bySymbol.peek()].filter(([code]) => code !== symbol));
}

/** Forgets all alerts, when the session ends. */
export function resetAlerts(): void {
  held = [];
  for (const symbol of bySymbol.peek().keys()) forgetAlerts(symbol);
}
