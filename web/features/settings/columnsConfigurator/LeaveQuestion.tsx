import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { guardLeaving, navigate } from '../../../shared/router/navigate.ts';
import { session } from '../../../shared/session/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { changedTables, dropDrafts, saveDraft } from './drafts.ts';
import { COLUMN_TABLES } from './tables.ts';

const ConfirmDialog = lazy(() =>
  import('../../../ui/ConfirmDialog.tsx').then((code) => ({ default: code.ConfirmDialog })),
);

/** Asks before changes to columns are lost: on the way to another screen, and when the window closes. */
export function LeaveQuestion(): ReactNode {
  const [to, setTo] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const changed = changedTables.value;
  useEffect(() => holdBack(setTo), []);

  const leave = (where: string) => {
    setTo(null);
    dropDrafts();
    navigate(where);
  };
  const saveAndLeave = async (where: string) => {
    setSaving(true);
    const saved = await Promise.all(changed.map(saveDraft));
    setSaving(false);
    // What could not be saved is told beside its table.
    setTo(null);
    if (saved.every(Boolean)) leave(where);
  };

  if (to === null) return null;
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
          <Button look="primary" disabled={isSaving} onClick={() => void saveAndLeave(to)}>
            {isSaving ? 'Saving…' : 'Save and leave'}
          </Button>
        }
        onConfirm={() => leave(to)}
        onCancel={() => setTo(null)}
      >
        <p>The columns of {names.join(', ')} have changes that are not saved.</p>
      </ConfirmDialog>
    </Suspense>
  );
}

/** Holds back whoever leaves with changes, as long as the screen is there. Drafts end with it. */
function holdBack(ask: (to: string) => void): () => void {
  const stopGuard = guardLeaving((to) => {
    if (changedTables.peek().length === 0 || !session.peek().isAuthenticated) return true;
    ask(to);
    return false;
  });
  const closing = (event: BeforeUnloadEvent) => {
    if (changedTables.peek().length > 0) event.preventDefault();
  };
  window.addEventListener('beforeunload', closing);
  return () => {
    stopGuard();
    window.removeEventListener('beforeunload', closing);
    dropDrafts();
  };
}
