import { withStyles } from './lateStyles.ts';

/** Shows and announces a short message; its code loads with the first one. */
export function sayBriefly(text: string): void {
  withStyles(import('../ui/Snackbar.tsx')).then(
    ({ showSnackbar }) => showSnackbar(text),
    // Offline: what was stored in this browser is still stored.
    () => undefined,
  );
}

export const saySaved = (): void => sayBriefly('Saved');
