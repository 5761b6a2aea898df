import { type ReadonlySignal, signal } from '@preact/signals-react';
import { readStoredText, writeStoredText } from '#web/shared/storage.ts';

const KEY = 'bellbird.marketStrip';
const HIDDEN = 'hidden';

const state = signal(readStoredText(KEY) === HIDDEN);

/** Whether this browser's user has put the strip of the market away. */
export const isStripHidden: ReadonlySignal<boolean> = state;

/** Puts the strip of the market away, or shows it again; kept in this browser. */
export function hideStrip(isHidden: boolean): void {
  state.value = isHidden;
  writeStoredText(KEY, isHidden ? HIDDEN : null);
}
