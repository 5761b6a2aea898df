import PlusIcon from 'lucide-react/icons/plus';
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { copyLayout, editorRights, removeColumn, setLooks } from '#subjects/scanners/rules/columnEditor.ts';
import { type ScannerKey, SCANNERS } from '#market/scanners/rules/scanners.ts';
import { hasCatalog } from '#web/shared/indicators/catalog.ts';
import { moveColumn, toggleColumn } from '../columns/layoutModel.ts';
import { WaitingColumns } from '../columns/WaitingColumns.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { ChipList } from './ChipList.tsx';
import {
  dismissRefused,
  draftColumns,
  editColumns,
  isSavingColumns,
  refusedColumns,
  savedColumns,
  saveDraft,
} from './drafts.ts';
import { type ColumnEntry, defaultEntries } from '#market/scanners/rules/columnEntry.ts';
import { patchSettings, settings } from '#web/shared/settings.ts';

/** Names the columns of a saved layout that do not exist any more, until it is dismissed. */
function DroppedColumns({ tableKey }: { tableKey: ScannerKey }): ReactNode {
  const dropped = settings.value?.droppedColumns?.[tableKey] ?? [];
  if (dropped.length === 0) return null;
  const dismiss = () => {
    const { [tableKey]: _, ...others } = settings.peek()?.droppedColumns ?? {};
    patchSettings({ droppedColumns: others });
  };
  return (
    <Banner variant="warn" onDismiss={dismiss}>
      {dropped.length === 1
        ? 'A saved column was left out: '
        : `${dropped.length} saved columns were left out: `}
      {dropped.map(({ reason }) => reason).join(' ')}
    </Banner>
  );
}

const ColumnLooksDialog = lazy(() =>
  import('../columns/ColumnLooksDialog.tsx').then((code) => ({
    default: code.ColumnLooksDialog,
  })),
);
const CopyLayoutDialog = lazy(() =>
  import('../columns/CopyLayoutDialog.tsx').then((code) => ({ default: code.CopyLayoutDialog })),
);

type TableEditorProps = {
  tableKey: ScannerKey;
  label: string;
  /** Settings was opened from this table's scanner: it scrolls into view and takes the focus. */
  isTarget: boolean;
  onAdd(): void;
};

type OpenDialog = { kind: 'format'; id: string } | { kind: 'copy' } | null;

/** Edits the columns of one table: which are shown, and in which order. */
export function TableEditor({ tableKey, label, isTarget, onAdd }: TableEditorProps): ReactNode {
  const { columns, refused, isSaving, rights } = useEditor(tableKey);
  const frame = useTargetFrame(isTarget);
  const edit = (next: readonly ColumnEntry[]) => editColumns(tableKey, next);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const headingId = `columns-${tableKey}`;
  const errorId = `${headingId}-error`;
  return (
    <section ref={frame} className="table-editor line-above stack" aria-labelledby={headingId} tabIndex={-1}>
      <div className="cluster gap-3">
        <h3 id={headingId}>{label}</h3>
        {isTarget && <a href={`#${SCANNERS[tableKey].route}`}>Back to {SCANNERS[tableKey].tab}</a>}
        {rights.save && <span className="small stale-text">Not saved</span>}
      </div>
      <DroppedColumns tableKey={tableKey} />
      <WaitingColumns tableKey={tableKey} />
      <ChipList
        tableKey={tableKey}
        columns={columns}
        canMove={rights.reorder}
        refused={refused && { id: refused.columnId, errorId }}
        onToggle={(id) => edit(toggleColumn(columns, id))}
        onRemove={(id) => edit(removeColumn(tableKey, columns, id))}
        onMove={(id, overId) => edit(moveColumn(columns, id, overId))}
        onFormat={(id) => setDialog({ kind: 'format', id })}
      />
      {refused && (
        <div id={errorId}>
          <Banner onDismiss={() => dismissRefused(tableKey)}>{refused.message}</Banner>
        </div>
      )}
      <Actions
        tableKey={tableKey}
        label={label}
        rights={rights}
        isSaving={isSaving}
        onAdd={onAdd}
        onCopy={() => setDialog({ kind: 'copy' })}
      />
      <Dialogs tableKey={tableKey} columns={columns} dialog={dialog} onClose={() => setDialog(null)} />
    </section>
  );
}

/** A table's columns as they are edited, and what can be done with them. All that is read here is followed. */
function useEditor(tableKey: ScannerKey) {
  const columns = draftColumns(tableKey);
  const isSaving = isSavingColumns(tableKey);
  const saved = savedColumns(tableKey);
  const rights = editorRights({ tableKey, columns, saved, isSaving, hasCatalog: hasCatalog.value });
  return { columns, refused: refusedColumns(tableKey), isSaving, rights };
}

/** The frame of an editor, which scrolls into view and takes the focus as the target. */
function useTargetFrame(isTarget: boolean) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    frame.current?.scrollIntoView?.({ block: 'start' });
    frame.current?.focus({ preventScroll: true });
  }, [isTarget]);
  return frame;
}

type DialogsProps = {
  tableKey: ScannerKey;
  columns: readonly ColumnEntry[];
  dialog: OpenDialog;
  onClose(): void;
};

function Dialogs({ tableKey, columns, dialog, onClose }: DialogsProps): ReactNode {
  const formatted = dialog?.kind === 'format' ? columns.find(({ id }) => id === dialog.id) : undefined;
  return (
    <Suspense fallback={null}>
      {formatted && (
        <ColumnLooksDialog
          tableKey={tableKey}
          entry={formatted}
          onChange={(looks) => editColumns(tableKey, setLooks(draftColumns(tableKey), formatted.id, looks))}
          onClose={onClose}
        />
      )}
      {dialog?.kind === 'copy' && (
        <CopyLayoutDialog
          from={tableKey}
          onCopy={(to) => editColumns(to, copyLayout(columns, to))}
          onClose={onClose}
        />
      )}
    </Suspense>
  );
}

type ActionsProps = Pick<TableEditorProps, 'tableKey' | 'label' | 'onAdd'> & {
  onCopy(): void;
  rights: ReturnType<typeof editorRights>;
  isSaving: boolean;
};

function Actions({ tableKey, label, rights, isSaving, onAdd, onCopy }: ActionsProps): ReactNode {
  const group = useRef<HTMLDivElement>(null);
  // A button that has done its work has nothing left to do, and a disabled one loses the focus.
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (focused?.matches(':disabled') && group.current?.contains(focused)) group.current.focus();
  });
  return (
    <div
      ref={group}
      className="table-editor-actions wrap"
      role="group"
      aria-label={`${label} actions`}
      tabIndex={-1}
    >
      <Button disabled={!rights.addIndicator} onClick={onAdd}>
        <PlusIcon size={15} aria-hidden />
        Add Indicator
      </Button>
      <Button onClick={onCopy}>Copy layout to…</Button>
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
      <Button variant="primary" disabled={!rights.save} onClick={() => void saveDraft(tableKey)}>
        {isSaving ? 'Saving…' : 'Save'}
      </Button>
    </div>
  );
}
