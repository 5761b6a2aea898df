import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import { readBoolean, readNumber, readRecord } from '#lib/read.ts';
import { readStored, writeStored } from '../shared/storage.ts';
import { BREAKPOINTS } from '../ui/useWidthQuery.ts';

const KEY = 'bellbird.stockPane';

/** Widths of the docked pane, px. */
export const PANE_WIDTH = { min: 340, usual: 420, max: 720 } as const;

export const clampWidth = (width: number): number =>
  Math.round(Math.min(PANE_WIDTH.max, Math.max(PANE_WIDTH.min, width)));

type Kept = { isOff: boolean; width: number };

function readKept(value: unknown): Kept {
  const { isOff, width } = readRecord(value);
  return { isOff: readBoolean(isOff) ?? false, width: clampWidth(readNumber(width) ?? PANE_WIDTH.usual) };
}

const kept = signal<Kept>(readStored(KEY, readKept) ?? readKept(null));
const shown = signal<string | null>(null);
const isCalling = signal(false);

function keep(change: Partial<Kept>): void {
  kept.value = { ...kept.peek(), ...change };
  writeStored(KEY, kept.peek());
}

/** What the docked pane remembers in this browser. */
export const paneChoices: ReadonlySignal<Kept> = kept;

/** The code of the stock in the pane; null if the pane is closed. */
export const paneStock: ReadonlySignal<string | null> = shown;

/** Whether the pane shows the form of a call. */
export const hasCallForm: ReadonlySignal<boolean> = isCalling;

export const isDocked = (): boolean => window.matchMedia(BREAKPOINTS.dock).matches;

/** Shows a row's stock while the pane follows the rows. */
export function followStock(code: string): void {
  if (kept.peek().isOff || !isDocked()) return;
  put(code, isCalling.peek() && shown.peek() === code);
}

/** Opens the pane, which follows the rows from then on. @param isCall whether to show the form of a call */
export function showStock(code: string, isCall = false): void {
  if (kept.peek().isOff) keep({ isOff: false });
  put(code, isCall);
}

function put(code: string, isCall: boolean): void {
  batch(() => {
    shown.value = code;
    isCalling.value = isCall;
  });
}

export const endCall = (): void => {
  isCalling.value = false;
};

/** Closes the pane. A docked one then stays closed until the user opens it again. */
export function closePane(): void {
  if (isDocked()) keep({ isOff: true });
  batch(() => {
    shown.value = null;
    isCalling.value = false;
  });
}

export const chooseWidth = (width: number): void => keep({ width: clampWidth(width) });
