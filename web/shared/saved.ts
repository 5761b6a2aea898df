import type { SnackbarAction } from '../ui/Snackbar.tsx';
import { withStyles } from './lateStyles.ts';

/** Shows and announces a short message; the code is loaded with the first one. */
export function showBriefly(text: string, ...actions: readonly SnackbarAction[]): void {
  withStyles(import('../ui/Snackbar.tsx')).then(
    ({ showSnackbar }) => showSnackbar(text, ...actions),
    // Fails while offline; data in this browser is stored anyway.
    () => undefined,
  );
}

export const confirmSaved = (): void => showBriefly('Saved');
