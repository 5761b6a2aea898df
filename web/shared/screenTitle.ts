import { type ReadonlySignal, signal } from '@preact/signals-react';

const state = signal<string | null>(null);

/** What the window's title says of the screen that is shown, instead of the screen's name; null for its name. */
export const screenTitle: ReadonlySignal<string | null> = state;

/** Puts something else into the window's title; null gives it the screen's name again. */
export function nameScreen(title: string | null): void {
  state.value = title;
}
