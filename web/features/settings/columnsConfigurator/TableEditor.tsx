import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useEffect, useRef } from 'react';
import {
  editorRights,
  moveColumn,
  removeColumn,
  toggleColumn,
} from '../../../../src/domain/scanners/columnEditor.ts';
import type { ScannerKey } from '../../../../src/domain/scanners/scanners.ts';
import { hasCatalog } from '../../../shared/indicators/catalog.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ChipList } from './ChipList.tsx';
import { DroppedColumns } from './DroppedColumns.tsx';
import {
  dismissRefused,
  draftColumns,
  editColumns,
  isSavingColumns,
  refusedColumns,
  savedColumns,
  saveDraft,
} from './drafts.ts';
import './TableEditor.css';
import type { ColumnEntry } from '../../../../src/domain/scanners/columnEntry.ts';
import { defaultEntries } from '../../../../src/domain/scanners/columnEntry.ts';

type TableEditorProps = {
  tableKey: ScannerKey;
  label: string;
  /** Settings was opened from this table's scanner: it scrolls into view and takes the focus. */
  isTarget: boolean;
  onAdd(): void;
};

/** Edits the columns of one table: which are shown, and in which order. */
export function TableEditor({ tableKey, label, isTarget, onAdd }: TableEditorProps): ReactNode {
  const columns = draftColumns(tableKey);
  const refused = refusedColumns(tableKey);
  const rights = editorRights({
    tableKey,
    columns,
    saved: savedColumns(tableKey),
    isSaving: isSavingColumns(tableKey),
    hasCatalog: hasCatalog.value,
  });
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    frame.current?.scrollIntoView?.({ block: 'start' });
    frame.current?.focus({ preventScroll: true });
  }, [isTarget]);
  const edit = (next: readonly ColumnEntry[]) => editColumns(tableKey, next);
  const headingId = `columns-${tableKey}`;
  const errorId = `${headingId}-error`;

  return (
    <section ref={frame} className="table-editor" aria-labelledby={headingId} tabIndex={-1}>
      <div className="table-editor-head">
        <h3 id={headingId}>{label}</h3>
        {rights.save && <span className="table-editor-unsaved">Not saved</span>}
      </div>
      <DroppedColumns tableKey={tableKey} />
      <ChipList
        tableKey={tableKey}
        columns={columns}
        canMove={rights.reorder}
        refused={refused && { id: refused.columnId, errorId }}
        onToggle={(id) => edit(toggleColumn(columns, id))}
        onRemove={(id) => edit(removeColumn(tableKey, columns, id))}
        onMove={(id, overId) => edit(moveColumn(columns, id, overId))}
      />
      {refused && (
        <div id={errorId}>
          <Banner onDismiss={() => dismissRefused(tableKey)}>{refused.message}</Banner>
        </div>
      )}
      <Actions tableKey={tableKey} label={label} rights={rights} onAdd={onAdd} />
    </section>
  );
}

type ActionsProps = Pick<TableEditorProps, 'tableKey' | 'label' | 'onAdd'> & {
  rights: ReturnType<typeof editorRights>;
};

function Actions({ tableKey, label, rights, onAdd }: ActionsProps): ReactNode {
  return (
    <div className="table-editor-actions" role="group" aria-label={`${label} actions`}>
      <Button disabled={!rights.addIndicator} onClick={onAdd}>
        <PlusIcon size={15} aria-hidden />
        Add Indicator
      </Button>
      <span className="table-editor-space" />
      <Button
        disabled={!rights.restoreDefault}
        onClick={() => editColumns(tableKey, defaultEntries(tableKey))}
      >
        Restore Default
      </Button>
      <Button disabled={!rights.resetToSaved} onClick={() => editColumns(tableKey, null)}>
        Reset To Saved
      </Button>
      <Button look="primary" disabled={!rights.save} onClick={() => void saveDraft(tableKey)}>
        {isSavingColumns(tableKey) ? 'Saving…' : 'Save'}
      </Button>
    </div>
  );
}
