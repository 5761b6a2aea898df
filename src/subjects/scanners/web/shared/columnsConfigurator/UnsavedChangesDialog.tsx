import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { guardLeaving, navigate } from '#web/router/navigate.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { changedTables, dropDrafts, saveDraft } from './drafts.ts';
import { COLUMN_TABLES } from './tables.ts';

const ConfirmDialog = lazy(() =>
  import('#ui/ConfirmDialog.tsx').then((code) => ({ default: code.ConfirmDialog })),
);

/** The way to another screen that unsaved changes stop, and what may be done with them. */
function useStoppedLeaving() {
  const [route, setRoute] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const changed = changedTables.value;
  useEffect(() => guardChanges(setRoute), []);
  const leave = () => {
    setRoute(null);
    dropDrafts();
    if (route !== null) navigate(route);
  };
  const saveAndLeave = async () => {
    setSaving(true);
    const results = await Promise.all(changed.map(saveDraft));
    setSaving(false);
    // What could not be saved is shown at its table.
    setRoute(null);
    if (results.every(Boolean)) leave();
  };
  return { isStopped: route !== null, stay: () => setRoute(null), changed, isSaving, leave, saveAndLeave };
}

/** Asks before changes to columns are lost: on the way to another screen, and when the window closes. */
export function UnsavedChangesDialog(): ReactNode {
  const { isStopped, stay, changed, isSaving, leave, saveAndLeave } = useStoppedLeaving();
  if (!isStopped) return null;
  const names = COLUMN_TABLES.filter(({ key }) => changed.includes(key)).map(({ label }) => label);
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        open
        title="Leave without saving?"
        cancel="Stay"
        action="Leave without saving"
        isBusy={isSaving}
        others={
          <Button variant="primary" disabled={isSaving} onClick={() => void saveAndLeave()}>
            {isSaving ? 'Saving…' : 'Save and leave'}
          </Button>
        }
        onConfirm={leave}
        onCancel={stay}
      >
        <p>The columns of {names.join(', ')} have changes that are not saved.</p>
      </ConfirmDialog>
    </Suspense>
  );
}

/**
 * Stops anyone who leaves with unsaved changes, while the screen is open.
 * @param ask gets the route that somebody wants to go to
 * @returns the stop function, which also drops the drafts
 */
function guardChanges(ask: (route: string) => void): () => void {
  const stopGuard = guardLeaving((route) => {
    if (changedTables.peek().length === 0 || !session.peek().isAuthenticated) return true;
    ask(route);
    return false;
  });
  const onBeforeUnload = (event: BeforeUnloadEvent) => {
    if (changedTables.peek().length > 0) event.preventDefault();
  };
  window.addEventListener('beforeunload', onBeforeUnload);
  return () => {
    stopGuard();
    window.removeEventListener('beforeunload', onBeforeUnload);
    dropDrafts();
  };
}
