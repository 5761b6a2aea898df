import { withStyles } from './lateStyles.ts';

/** Says something at the foot of the page for a moment, seen and announced. What says it is fetched with the first. */
export function sayBriefly(text: string): void {
  withStyles(import('../ui/Snackbar.tsx')).then(
    ({ showSnackbar }) => showSnackbar(text),
    // The connection is gone: what was stored in this browser is stored all the same.
    () => undefined,
  );
}

/** Says *Saved* for a moment. */
export const saySaved = (): void => sayBriefly('Saved');
