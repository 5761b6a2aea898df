import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { ScannerKey } from '../../../../src/domain/scanners/scanners.ts';
import { loadCatalogs } from '../../../shared/indicators/catalog.ts';
import { onColumnTarget, takeColumnTarget } from '../../../shared/columnTarget.ts';
import { settings, settingsError } from '../../../shared/settings.ts';
import { SkeletonRows } from '../../../ui/SkeletonRows.tsx';
import { addPicked } from './drafts.ts';
import { LeaveQuestion } from './LeaveQuestion.tsx';
import { TableEditor } from './TableEditor.tsx';
import { COLUMN_TABLES } from './tables.ts';
import { CatalogProblem } from '../../../shared/indicators/CatalogProblem.tsx';

const AddIndicatorDialog = lazy(() =>
  import('../../../shared/indicators/AddIndicatorDialog.tsx').then((code) => ({
    default: code.AddIndicatorDialog,
  })),
);

/** The columns of the five scanner tables. Opened from a scanner, it begins at that one's table. */
export function ColumnsPanel(): ReactNode {
  const isKnown = settings.value !== null;
  const [adding, setAdding] = useState<ScannerKey | null>(null);
  const [target, setTarget] = useState<ScannerKey | null>(null);
  useEffect(() => {
    const take = () => setTarget(takeColumnTarget());
    take();
    return onColumnTarget(take);
  }, []);
  useEffect(() => void loadCatalogs(), []);

  return (
    <section className="panel columns-panel" aria-labelledby="columns-panel">
      <h2 id="columns-panel">Table columns</h2>
      <p className="muted">
        Click a column to show or hide it. Drag it, or move it with the arrow keys from its handle, to change
        the order.
      </p>
      <CatalogProblem />
      {isKnown
        ? COLUMN_TABLES.map(({ key, label }) => (
            <TableEditor
              key={key}
              tableKey={key}
              label={label}
              isTarget={target === key}
              onAdd={() => setAdding(key)}
            />
          ))
        : !settingsError.value && <SkeletonRows rows={5} label="Loading columns…" />}
      <LeaveQuestion />
      {adding !== null && (
        <Suspense fallback={null}>
          <AddIndicatorDialog
            open
            several
            onClose={() => setAdding(null)}
            onAdd={(picked) => addPicked(adding, picked)}
          />
        </Suspense>
      )}
    </section>
  );
}
