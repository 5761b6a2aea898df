import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import { readBoolean, readNumber, readRecord } from '#lib/read.ts';
import { readStored, writeStored } from '../shared/storage.ts';
import { rowOf } from '../ui/table/rowFocus.ts';
import { BREAKPOINTS, useWidthQuery } from '../ui/useWidthQuery.ts';

const KEY = 'bellbird.stockPane';

/** Widths of the docked pane, px. */
export const PANE_WIDTH = { min: 340, usual: 420, max: 720 } as const;

const clampWidth = (width: number): number =>
  Math.round(Math.min(PANE_WIDTH.max, Math.max(PANE_WIDTH.min, width)));

/** A form in the pane: a new call or a new alert on its stock. */
type PaneForm = 'call' | 'alert';

type Kept = { isOff: boolean; width: number };

function readKept(value: unknown): Kept {
  const { isOff, width } = readRecord(value);
  return { isOff: readBoolean(isOff) ?? false, width: clampWidth(readNumber(width) ?? PANE_WIDTH.usual) };
}

const kept = signal<Kept>(readStored(KEY, readKept) ?? readKept(null));
const shown = signal<string | null>(null);
const form = signal<PaneForm | null>(null);
const lastRow = signal<string | null>(null);

function keep(change: Partial<Kept>): void {
  kept.value = { ...kept.peek(), ...change };
  writeStored(KEY, kept.peek());
}

/** What the docked pane remembers in this browser. */
export const paneChoices: ReadonlySignal<Kept> = kept;

/** The code of the stock in the pane; null if the pane is closed. */
export const paneStock: ReadonlySignal<string | null> = shown;

export const paneForm: ReadonlySignal<PaneForm | null> = form;

export const isDocked = (): boolean => window.matchMedia(BREAKPOINTS.dock).matches;

/** Whether the docked pane shows the selected stock, so that opened rows need not repeat its charts. */
export const usePaneOn = (): boolean => useWidthQuery('dock') && !kept.value.isOff;

/** Whether a chosen stock opens the pane or its sheet; otherwise its row opens. */
export const opensPane = (): boolean => isDocked() || window.matchMedia(BREAKPOINTS.phone).matches;

/** The code of the last focused row, which a closed pane would show; null for none. */
export const lastRowStock: ReadonlySignal<string | null> = lastRow;

/** Shows a row's stock while the pane follows the rows. An open form keeps its stock, so that nothing typed is lost. */
export function followStock(code: string): void {
  lastRow.value = code;
  if (kept.peek().isOff || form.peek() !== null || !isDocked()) return;
  put(code, null);
}

/** Opens the pane, which follows the rows from then on. */
export function showStock(code: string, withForm: PaneForm | null = null): void {
  if (kept.peek().isOff) keep({ isOff: false });
  put(code, withForm);
}

function put(code: string | null, withForm: PaneForm | null): void {
  batch(() => {
    shown.value = code;
    form.value = withForm;
  });
}

export const closeForm = (): void => {
  form.value = null;
};

/** Empties the pane when a screen without one is opened. */
export const emptyPane = (): void =>
  batch(() => {
    shown.value = null;
    lastRow.value = null;
    form.value = null;
  });

/** Closes the pane. A docked one then stays closed until the user opens it again. */
export function closePane(): void {
  if (isDocked()) keep({ isOff: true });
  put(null, null);
}

/** Shows a width. It is not stored before `storeWidth`, because a drag changes it with every move. */
export function showWidth(width: number): void {
  kept.value = { ...kept.peek(), width: clampWidth(width) };
}

export const storeWidth = (): void => keep({});

/**
 * Where the focus goes for a stock: to its row, from which the keys move on. Without one, to the pane, because another
 * row would show another stock.
 */
export function placeOf(code: string): HTMLElement | null {
  const active = document.querySelector<HTMLElement>('tr[data-id][tabindex="0"]');
  if (active?.dataset.id?.split(' ')[0] === code) return active;
  return rowOf(document.body, code) ?? document.querySelector<HTMLElement>('.stock-pane.is-docked');
}

/** Returns the focus to the table, because an element of the pane that had it disappears. */
export function focusRow(): void {
  const code = shown.peek();
  const place =
    code === null ? document.querySelector<HTMLElement>('tr[data-id][tabindex="0"]') : placeOf(code);
  place?.focus({ preventScroll: true });
}
