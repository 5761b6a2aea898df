import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { AlertDraft } from '#subjects/alerts/rules/alertDraft.ts';
import { MESSAGES } from '#texts/messages.ts';
import { offerSound, openSymbols, showFailure } from '../state.ts';
import { ApiError, messageOf } from '#web/api/client.ts';
import { onReconnect } from '#web/shared/onReconnect.ts';
import { deleteAlert, fetchAlerts, postUndo, sendStep } from '../api.ts';
import {
  type SavedAlert,
  type EditorState,
  isOf,
  isUnsaved,
  stateOfNew,
  stateOfSaved,
  type HeldAlert,
  heldOf,
  restored,
} from './editorState.ts';
import type { AlertTrigger } from '#subjects/alerts/web/shared/alertStream.ts';
import { AlertEditor, type EditorDeps } from './alertEditor.ts';

/** The alerts on a symbol; unsaved ones are last. */
export type SymbolAlerts = {
  isLoading: boolean;
  isLoaded: boolean;
  error: string | null;
  editors: readonly AlertEditor[];
};

const NOTHING: SymbolAlerts = { isLoading: false, isLoaded: false, error: null, editors: [] };

const bySymbol = signal<ReadonlyMap<string, SymbolAlerts>>(new Map());
export const loadedAlerts: ReadonlySignal<ReadonlyMap<string, SymbolAlerts>> = bySymbol;

export const alertsOn = (symbol: string): SymbolAlerts => bySymbol.value.get(symbol) ?? NOTHING;
const peekAt = (symbol: string): SymbolAlerts => bySymbol.peek().get(symbol) ?? NOTHING;

function put(symbol: string, part: Partial<SymbolAlerts>): void {
  bySymbol.value = new Map([...bySymbol.peek(), [symbol, { ...peekAt(symbol), ...part }]]);
}

const expanded = signal<ReadonlySet<string>>(new Set());
export const expandedAlerts: ReadonlySignal<ReadonlySet<string>> = expanded;

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
    // A load between creation and answer may have created a second editor for the alert.
    const editors = peekAt(symbol).editors.filter((one) => one === editor || idOf(one) !== idOf(editor));
    put(symbol, { editors });
    reload(symbol);
    offerSound();
  },
  onTrouble: (editor) => {
    const { symbol, refusal, inFlight } = editor.state.peek();
    if (refusal !== null && inFlight === null) onReconnect(saveFailed);
    if (openSymbols.peek().has(symbol)) return;
    showFailure(`${symbol}: ${refusal?.message ?? 'An alert was changed elsewhere while you edited it.'}`);
  },
};

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

/** Updates existing editors, adds new ones, and keeps unsaved work. */
function merged(editors: readonly AlertEditor[], alerts: readonly SavedAlert[]): AlertEditor[] {
  const known = new Map(editors.flatMap((editor) => (idOf(editor) === null ? [] : [[idOf(editor), editor]])));
  const merged = alerts.map((alert) => {
    const editor = known.get(alert.id);
    editor?.receive(alert);
    return editor ?? newEditor(stateOfSaved(alert));
  });
  const kept = editors.filter((editor) => {
    const state = editor.state.peek();
    return !merged.includes(editor) && (state.saved === null || isUnsaved(state));
  });
  for (const editor of kept) if (idOf(editor) !== null) editor.showGone();
  return [...merged, ...kept];
}

/** Loads the alerts on a symbol. If loads overlap, the last one started wins. */
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
 * Applies a trigger to its editor before the next load. A trigger older than the known one, for example after
 * a reconnect, has no effect.
 */
export function reportTrigger({ alertId, at, marketAt, deactivated }: AlertTrigger): void {
  for (const { editors } of bySymbol.peek().values()) {
    const editor = editors.find((one) => idOf(one) === alertId);
    const saved = editor?.state.peek().saved ?? null;
    if (!editor || saved === null || Date.parse(saved.last_triggered_at ?? '') >= at) continue;
    editor.receive({
      ...saved,
      last_triggered_at: new Date(at).toISOString(),
      last_triggered_market_time: new Date(marketAt).toISOString(),
      active: saved.active && !deactivated,
    });
  }
}

/** Repeats a running load, which may miss this change. */
function reload(symbol: string): void {
  if (peekAt(symbol).isLoading) void loadAlerts(symbol);
}

function loadMissing(): void {
  for (const [symbol, { error }] of bySymbol.peek()) if (error !== null) void loadAlerts(symbol);
}

/** Restores edits from the previous session once the alerts of each symbol have loaded. */
export function restoreAlerts(kept: readonly HeldAlert[]): void {
  held = kept;
}

/** Edits to restore later; undefined if nothing is unsaved. */
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

function resumed(start: EditorState): AlertEditor {
  const editor = newEditor(start);
  setExpanded(editor.key, true);
  editor.type({});
  return editor;
}

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
 * Deletes an alert, or drops one that was never saved. Waits for a running save, which would recreate it.
 * @returns why it was not deleted; null on success
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
  reload(symbol);
  return null;
}

/** Reverts a change that is still pending. */
export async function undoPending(editor: AlertEditor): Promise<void> {
  const { saved, symbol } = editor.state.peek();
  if (saved === null) return;
  try {
    const { alert, refusal } = await postUndo(saved);
    if (alert !== null) editor.receive(alert);
    if (refusal !== null) showFailure(`${symbol}: ${refusal}`);
  } catch (problem) {
    showFailure(`${symbol}: ${messageOf(problem, MESSAGES.watchlist.saveAlert)}`);
  }
  await loadAlerts(symbol);
}

export function flushAlerts(symbol?: string): void {
  for (const [code, { editors }] of bySymbol.peek()) {
    if (symbol === undefined || code === symbol) for (const editor of editors) editor.flush();
  }
}

/** Drops new alerts that the user has not edited. */
export function dropUntouched(symbol: string): void {
  const { editors } = peekAt(symbol);
  const kept = editors.filter((editor) => {
    const state = editor.state.peek();
    return state.saved !== null || isUnsaved(state);
  });
  if (kept.length < editors.length) put(symbol, { editors: kept });
}

export function forgetAlerts(symbol: string): void {
  for (const editor of peekAt(symbol).editors) void editor.halt();
  loads.set(symbol, (loads.get(symbol) ?? 0) + 1);
  bySymbol.value = new Map([...bySymbol.peek()].filter(([code]) => code !== symbol));
}

export function resetAlerts(): void {
  held = [];
  for (const symbol of bySymbol.peek().keys()) forgetAlerts(symbol);
}
