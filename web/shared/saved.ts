import { withStyles } from './lateStyles.ts';

/** Says *Saved* for a moment, seen and announced. What says it is fetched with the first save. */
export function saySaved(): void {
  withStyles(import('../ui/SavedNote.tsx')).then(
    ({ showSavedNote }) => showSavedNote(),
    // The connection is gone: what was stored in this browser is stored all the same.
    () => undefined,
  );
}
