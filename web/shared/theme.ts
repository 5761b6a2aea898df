import { computed, type ReadonlySignal } from '@preact/signals-react';
import { prefer, shownTheme, type Theme } from './preferences.ts';

/** The theme that is not shown. */
export const otherTheme: ReadonlySignal<Theme> = computed(() =>
  shownTheme.value === 'dark' ? 'light' : 'dark',
);

/** What a control that switches the theme is called. */
export const themeSwitchLabel: ReadonlySignal<string> = computed(
  () => `Switch to the ${otherTheme.value} theme`,
);

/** Shows the other theme, here and in every window of this browser. */
export function switchTheme(): void {
  prefer({ theme: otherTheme.peek() });
}
