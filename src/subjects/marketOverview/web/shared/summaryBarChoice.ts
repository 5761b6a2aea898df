import { type ReadonlySignal, signal } from '@preact/signals-react';
import { readStoredText, writeStoredText } from '#web/shared/storage.ts';

const KEY = 'bellbird.marketStrip';
const HIDDEN = 'hidden';

const state = signal(readStoredText(KEY) === HIDDEN);

export const isSummaryBarHidden: ReadonlySignal<boolean> = state;

export function hideSummaryBar(isHidden: boolean): void {
  state.value = isHidden;
  writeStoredText(KEY, isHidden ? HIDDEN : null);
}
