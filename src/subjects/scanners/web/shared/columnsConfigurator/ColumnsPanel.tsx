import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { loadCatalogs } from '#web/shared/indicators/catalog.ts';
import { CatalogProblem, ValueUse } from '#web/shared/indicators/CatalogProblem.tsx';
import { onColumnTarget, takeColumnTarget } from '../columnTarget.ts';
import { settings, settingsError } from '#web/shared/settings.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { addPicked, useHeldDrafts, changedTables, dropDrafts, saveDraft } from './drafts.ts';
import { TableEditor } from './TableEditor.tsx';
import { guardLeaving, navigate } from '#web/router/navigate.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { Button } from '#ui/Button.tsx';

/** The tables in the order of the configurator, with the names that specification 2.9 gives them. */
const COLUMN_TABLES: readonly { key: ScannerKey; label: string }[] = [
  { key: 'preMarket', label: 'Pre-open (gap ups)' },
  { key: 'intraDaySmall', label: 'Intra-day < $1' },
  { key: 'intraDayMidLarge', label: 'Intra-day ≥ $1' },
  { key: 'intraDayLargeCap', label: 'Intra-day Large Cap' },
  { key: 'custom', label: 'Custom Scanner' },
];

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
function UnsavedChangesDialog(): ReactNode {
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

const AddIndicatorDialog = lazy(() =>
  import('#web/shared/indicators/AddIndicatorDialog.tsx').then((code) => ({
    default: code.AddIndicatorDialog,
  })),
);

/** The columns configurator: one editor for each scanner table. Opened from a scanner, it begins at that one's. */
export function ColumnsPanel(): ReactNode {
  const target = useColumnTarget();
  const [addingTo, setAddingTo] = useState<ScannerKey | null>(null);
  useEffect(() => void loadCatalogs(), []);
  useHeldDrafts();

  return (
    <section className="panel" aria-labelledby="columns-panel">
      <h2 id="columns-panel">Table columns</h2>
      <p className="muted">
        Click a column to show or hide it. Drag it, or use the arrow keys on its handle, to change the order.
        Its # sets decimals and short numbers. You can do the same in a scanner: drag a heading or its edge,
        or right-click it.
      </p>
      <ValueUse showsUsed />
      <CatalogProblem />
      {settings.value !== null &&
        COLUMN_TABLES.map(({ key, label }) => (
          <TableEditor
            key={key}
            tableKey={key}
            label={label}
            isTarget={target === key}
            onAdd={() => setAddingTo(key)}
          />
        ))}
      {settings.value === null && !settingsError.value && <SkeletonRows rows={5} label="Loading columns…" />}
      <UnsavedChangesDialog />
      {addingTo !== null && <AddColumns to={addingTo} onClose={() => setAddingTo(null)} />}
    </section>
  );
}

function AddColumns({ to, onClose }: { to: ScannerKey; onClose(): void }): ReactNode {
  return (
    <Suspense fallback={null}>
      <AddIndicatorDialog
        open
        multipleTimeframes
        onClose={onClose}
        onAdd={(result) => addPicked(to, result)}
      />
    </Suspense>
  );
}

/** The scanner that Settings was opened from, last; null when it was opened by itself. */
function useColumnTarget(): ScannerKey | null {
  const [target, setTarget] = useState<ScannerKey | null>(null);
  useEffect(() => {
    const take = () => setTarget(takeColumnTarget());
    take();
    return onColumnTarget(take);
  }, []);
  return target;
}
