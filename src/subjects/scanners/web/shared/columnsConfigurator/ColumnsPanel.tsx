import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { ScannerKey } from '#subjects/scanners/rules/scanners.ts';
import { loadCatalogs } from '#subjects/indicators/web/shared/catalog.ts';
import { CatalogProblem } from '#subjects/indicators/web/shared/CatalogProblem.tsx';
import { onColumnTarget, takeColumnTarget } from '../columnTarget.ts';
import { settings, settingsError } from '#web/shared/settings.ts';
import { ValueUse } from '#subjects/indicators/web/shared/ValueUse.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import './ColumnsPanel.css';
import { addPicked, useHeldDrafts } from './drafts.ts';
import { TableEditor } from './TableEditor.tsx';
import { COLUMN_TABLES } from './tables.ts';
import { UnsavedChangesDialog } from './UnsavedChangesDialog.tsx';

const AddIndicatorDialog = lazy(() =>
  import('#subjects/indicators/web/shared/AddIndicatorDialog.tsx').then((code) => ({
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
    <section className="panel columns-panel" aria-labelledby="columns-panel">
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
