import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useEffect, useRef } from 'react';
import {
  editorRights,
  moveColumn,
  removeColumn,
  toggleColumn,
} from '../../../../src/domain/scanners/columnEditor.ts';
import { defaultEntries } from '../../../../src/domain/scanners/columnEntry.ts';
import type { ScannerKey } from '../../../../src/domain/scanners/scanners.ts';
import { hasCatalog } from '../../../shared/indicators/catalog.ts';
import { patchSettings, settings } from '../../../shared/settings.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ChipList } from './ChipList.tsx';
import {
  columnsError,
  draftColumns,
  editColumns,
  isSavingColumns,
  savedColumns,
  saveDraft,
  setError,
} from './drafts.ts';

type TableEditorProps = {
  tableKey: ScannerKey;
  label: string;
  /** Opened from this table's scanner: it comes into sight and takes the focus. */
  isTarget: boolean;
  onAdd(): void;
};

/** The columns of one table: which are shown, in which order, and what may be done with the changes. */
export function TableEditor({ tableKey, label, isTarget, onAdd }: TableEditorProps): ReactNode {
  const columns = draftColumns(tableKey);
  const saved = savedColumns(tableKey);
  const isSaving = isSavingColumns(tableKey);
  const error = columnsError(tableKey);
  const rights = editorRights({ tableKey, columns, saved, isSaving, hasCatalog: hasCatalog.value });
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    frame.current?.scrollIntoView?.({ block: 'start' });
    frame.current?.focus({ preventScroll: true });
  }, [isTarget]);
  const edit = (next: typeof columns) => editColumns(tableKey, next);
  const headingId = `columns-${tableKey}`;

  return (
    <section
      ref={frame}
      className="table-editor"
      aria-labelledby={headingId}
      tabIndex={-1}
      data-target={isTarget || undefined}
    >
      <div className="table-editor-head">
        <h3 id={headingId}>{label}</h3>
        {rights.save && <span className="unsaved">Not saved</span>}
      </div>
      <DroppedNote tableKey={tableKey} />
      <ChipList
        tableKey={tableKey}
        columns={columns}
        canMove={rights.reorder}
        onToggle={(id) => edit(toggleColumn(columns, id))}
        onRemove={(id) => edit(removeColumn(tableKey, columns, id))}
        onMove={(id, overId) => edit(moveColumn(columns, id, overId))}
      />
      {error && <Banner onDismiss={() => setError(tableKey, null)}>{error}</Banner>}
      <div className="table-editor-actions" role="group" aria-label={`${label} actions`}>
        <Button disabled={!rights.addIndicator} onClick={onAdd}>
          <PlusIcon size={15} aria-hidden />
          Add Indicator
        </Button>
        <span className="table-editor-space" />
        <Button disabled={!rights.restoreDefault} onClick={() => edit(defaultEntries(tableKey))}>
          Restore Default
        </Button>
        <Button disabled={!rights.resetToSaved} onClick={() => editColumns(tableKey, null)}>
          Reset To Saved
        </Button>
        <Button look="primary" disabled={!rights.save} onClick={() => void saveDraft(tableKey)}>
          {isSaving ? 'Saving…' : 'Save'}
        </Button>
      </div>
    </section>
  );
}

/** What an older layout had that is not there any more. */
function DroppedNote({ tableKey }: { tableKey: ScannerKey }): ReactNode {
  const lost = settings.value?.droppedColumns?.[tableKey] ?? [];
  if (lost.length === 0) return null;
  const dismiss = () => {
    const { [tableKey]: _, ...others } = settings.peek()?.droppedColumns ?? {};
    patchSettings({ droppedColumns: others });
  };
  return (
    <Banner look="warn" onDismiss={dismiss}>
      {lost.length === 1 ? 'A saved column was left out: ' : `${lost.length} saved columns were left out: `}
      {lost.map(({ reason }) => reason).join(' ')}
    </Banner>
  );
}
