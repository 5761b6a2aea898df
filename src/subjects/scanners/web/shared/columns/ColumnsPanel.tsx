import { type ReactNode, useEffect, useState, useLayoutEffect, useRef } from 'react';
import { type ScannerKey, SCANNERS, SCANNER_KEYS } from '#market/scanners/rules/scanners.ts';
import { loadCatalogs, hasCatalog } from '#web/shared/indicators/catalog.ts';
import { CatalogProblem, ValueUse } from '#web/shared/indicators/CatalogProblem.tsx';
import { columnsPath, showsColumns, tableAt } from '../columnSettings.ts';
import { settings, settingsError, patchSettings, saveColumns } from '#web/shared/settings.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { currentHash, guardLeaving, navigate } from '#web/router/navigate.ts';
import { lastScanner } from '#web/router/router.ts';
import { TabList, TabPanel } from '#ui/TabList.tsx';
import { NativeSelect } from '#ui/Field.tsx';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { Button } from '#ui/Button.tsx';
import PlusIcon from 'lucide-react/icons/plus';
import {
  copyLayout,
  editorRights,
  removeColumn,
  setFormat,
  addColumns,
  differ,
} from '#subjects/scanners/rules/columnEditor.ts';
import { moveColumn, pickedEntries, toggleColumn } from './layouts.ts';
import { WaitingColumns } from './WaitingColumns.tsx';
import { Banner } from '#ui/Banner.tsx';
import { ChipList } from './ChipList.tsx';
import { type ColumnEntry, defaultEntries } from '#market/scanners/rules/columnList.ts';
import { late, LateConfirm } from '#web/shared/lateStyles.ts';
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { indexIn, type Refusal } from '#lib/result.ts';
import { isRecord } from '#lib/json.ts';
import { confirmSaved } from '#web/shared/saved.ts';
import { keptInput, useHeldInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import type { PickerResult } from '#web/shared/indicators/AddIndicatorDialog.tsx';

type Lists = Readonly<Partial<Record<ScannerKey, readonly ColumnEntry[]>>>;
/** A refused save; `columnId` is the column that caused it. */
type RefusedColumns = { message: string; columnId: string | null };
const drafts = signal<Lists>({});
const saving = signal<ReadonlySet<ScannerKey>>(new Set());
const refused = signal<Readonly<Partial<Record<ScannerKey, RefusedColumns>>>>({});

const savedColumns = (tableKey: ScannerKey): readonly ColumnEntry[] =>
  settings.value?.columnPreferences[tableKey] ?? defaultEntries(tableKey);

export const draftColumns = (tableKey: ScannerKey): readonly ColumnEntry[] =>
  drafts.value[tableKey] ?? savedColumns(tableKey);

const isSavingColumns = (tableKey: ScannerKey): boolean => saving.value.has(tableKey);
const refusedColumns = (tableKey: ScannerKey): RefusedColumns | null => refused.value[tableKey] ?? null;

const changedTables: ReadonlySignal<readonly ScannerKey[]> = computed(() =>
  SCANNER_KEYS.filter((key) => differ(draftColumns(key), savedColumns(key))),
);

function setRefused(tableKey: ScannerKey, refusal: RefusedColumns | null): void {
  const { [tableKey]: _, ...others } = refused.peek();
  refused.value = refusal === null ? others : { ...others, [tableKey]: refusal };
}

const dismissRefused = (tableKey: ScannerKey): void => setRefused(tableKey, null);

/** Names the column by id, because the order may change while editing. */
function refusedIn(sent: readonly ColumnEntry[], { field, message }: Refusal): RefusedColumns {
  const index = indexIn('columns', field);
  return { message, columnId: index === null ? null : (sent[index]?.id ?? null) };
}

/** Sets a draft; null reverts to the saved columns. */
export function editColumns(tableKey: ScannerKey, columns: readonly ColumnEntry[] | null): void {
  const { [tableKey]: _, ...others } = drafts.peek();
  drafts.value = columns === null ? others : { ...others, [tableKey]: columns };
}

function addPicked(tableKey: ScannerKey, result: PickerResult): void {
  editColumns(tableKey, addColumns(draftColumns(tableKey), pickedEntries(tableKey, result)));
}

/** Saves a draft. Changes made during the save stay in the draft. Returns whether it was saved. */
async function saveDraft(tableKey: ScannerKey): Promise<boolean> {
  const sent = draftColumns(tableKey);
  batch(() => {
    saving.value = new Set([...saving.peek(), tableKey]);
    setRefused(tableKey, null);
  });
  const refusal = await saveColumns(tableKey, sent);
  if (refusal === null) confirmSaved();
  batch(() => {
    saving.value = new Set([...saving.peek()].filter((key) => key !== tableKey));
    setRefused(tableKey, refusal && refusedIn(sent, refusal));
    if (refusal === null && !differ(sent, drafts.peek()[tableKey] ?? sent)) editColumns(tableKey, null);
  });
  return refusal === null;
}

/** Restores drafts from an interrupted session, and keeps the current ones for the next interruption. */
function useHeldDrafts(): void {
  const now = changedTables.value.length > 0 ? drafts.value : undefined;
  useLayoutEffect(() => {
    const kept = keptInput('columns');
    if (isRecord(kept)) drafts.value = kept as Lists;
  }, []);
  useHeldInput('columns', now);
}

export function dropDrafts(): void {
  batch(() => {
    drafts.value = {};
    refused.value = {};
  });
}

/** Columns of a saved layout that no longer exist, until dismissed. */
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

const ColumnFormatDialog = late(() => import('./ColumnDialogs.tsx').then((code) => code.ColumnFormatDialog));
const CopyLayoutDialog = late(() => import('./ColumnDialogs.tsx').then((code) => code.CopyLayoutDialog));

type TableEditorProps = {
  tableKey: ScannerKey;
  label: string;
  onAdd(): void;
};

type OpenDialog = { kind: 'format'; id: string } | { kind: 'copy' } | null;

function TableEditor({ tableKey, label, onAdd }: TableEditorProps): ReactNode {
  const { columns, refused, isSaving, rights } = useEditor(tableKey);
  const frame = useFrame(tableKey);
  const edit = (next: readonly ColumnEntry[]) => editColumns(tableKey, next);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const headingId = `columns-${tableKey}`;
  const errorId = `${headingId}-error`;
  return (
    <section ref={frame} className="table-editor stack" aria-labelledby={headingId} tabIndex={-1}>
      <div className="cluster gap-3">
        <h3 id={headingId} className="visually-hidden">
          {label}
        </h3>
        {lastScanner.value === SCANNERS[tableKey].route && (
          <a className="back-to-scanner" href={`#${SCANNERS[tableKey].route}`}>
            Back to {SCANNERS[tableKey].tab}
          </a>
        )}
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

function useEditor(tableKey: ScannerKey) {
  const columns = draftColumns(tableKey);
  const isSaving = isSavingColumns(tableKey);
  const saved = savedColumns(tableKey);
  const rights = editorRights({ tableKey, columns, saved, isSaving, hasCatalog: hasCatalog.value });
  return { columns, refused: refusedColumns(tableKey), isSaving, rights };
}

/** The frame of the editor, which takes the focus if the address names its table and the user is nowhere else. */
function useFrame(tableKey: ScannerKey) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (tableAt(currentHash.peek()) !== tableKey || document.activeElement !== document.body) return;
    frame.current?.focus({ preventScroll: true });
  }, [tableKey]);
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
    <>
      {formatted && (
        <ColumnFormatDialog
          tableKey={tableKey}
          entry={formatted}
          onChange={(format) =>
            editColumns(tableKey, setFormat(draftColumns(tableKey), formatted.id, format))
          }
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
    </>
  );
}

type ActionsProps = Pick<TableEditorProps, 'tableKey' | 'label' | 'onAdd'> & {
  onCopy(): void;
  rights: ReturnType<typeof editorRights>;
  isSaving: boolean;
};

function Actions({ tableKey, label, rights, isSaving, onAdd, onCopy }: ActionsProps): ReactNode {
  const group = useRef<HTMLDivElement>(null);
  // Moves the focus away from a disabled button, which would lose it.
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

/** Tables with their names in specification 2.9. */
const COLUMN_TABLES: readonly { key: ScannerKey; label: string }[] = [
  { key: 'preMarket', label: 'Pre-open (gap ups)' },
  { key: 'intraDaySmall', label: 'Intra-day < $1' },
  { key: 'intraDayMidLarge', label: 'Intra-day ≥ $1' },
  { key: 'intraDayLargeCap', label: 'Intra-day Large Cap' },
  { key: 'custom', label: 'Custom Scanner' },
];

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
    // Each table shows its own error.
    setRoute(null);
    if (results.every(Boolean)) leave();
  };
  return { isStopped: route !== null, stay: () => setRoute(null), changed, isSaving, leave, saveAndLeave };
}

function UnsavedChangesDialog(): ReactNode {
  const { isStopped, stay, changed, isSaving, leave, saveAndLeave } = useStoppedLeaving();
  if (!isStopped) return null;
  const names = COLUMN_TABLES.filter(({ key }) => changed.includes(key)).map(({ label }) => label);
  return (
    <LateConfirm
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
    </LateConfirm>
  );
}

/**
 * @param ask called with the requested route if there are unsaved drafts
 * @returns the stop function, which also drops the drafts
 */
function guardChanges(ask: (route: string) => void): () => void {
  const stopGuard = guardLeaving((route) => {
    if (showsColumns(route) || changedTables.peek().length === 0) return true;
    if (!session.peek().isAuthenticated) return true;
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

const AddIndicatorDialog = late(() =>
  import('#web/shared/indicators/AddIndicatorDialog.tsx').then((code) => code.AddIndicatorDialog),
);

const labelOf = (tableKey: ScannerKey): string =>
  COLUMN_TABLES.find(({ key }) => key === tableKey)?.label ?? tableKey;

const TABS = 'column-tables';

/** Tabs, on phones a select, which has room for the long names. */
function TablePicker({ shown }: { shown: ScannerKey }): ReactNode {
  const isPhone = useWidthQuery('phone');
  const show = (key: ScannerKey) => navigate(columnsPath(key));
  const noteOf = (key: ScannerKey) => (changedTables.value.includes(key) ? ' · Not saved' : '');
  if (isPhone) {
    const options = COLUMN_TABLES.map(({ key, label }) => ({ id: key, label: `${label}${noteOf(key)}` }));
    return <NativeSelect label="Table" value={shown} options={options} onChoose={show} />;
  }
  const tabs = COLUMN_TABLES.map(({ key }) => key);
  return (
    <TabList id={TABS} label="Tables" tabs={tabs} shown={shown} addressOf={columnsPath} onShow={show}>
      {(key) => (
        <>
          {labelOf(key)}
          <span className="stale-text">{noteOf(key)}</span>
        </>
      )}
    </TabList>
  );
}

/** The tables, one at a time: that of the address, otherwise that of the last scanner. */
export function ColumnsPanel(): ReactNode {
  const fromScanner = SCANNER_KEYS.find((key) => SCANNERS[key].route === lastScanner.value);
  const tableKey = tableAt(currentHash.value) ?? fromScanner ?? 'preMarket';
  const [isAdding, setAdding] = useState(false);
  useEffect(() => void loadCatalogs(), []);
  useHeldDrafts();

  return (
    <section className="panel" aria-labelledby="columns-panel">
      <h2 id="columns-panel">Table columns</h2>
      <p className="muted">
        Click a column to show or hide it. Drag it, or use the arrow keys on its handle, to change the order.
        Its # sets decimals and short numbers. You can do the same in a scanner: drag a heading or its edge,
        or right-click it, also to add a column.
      </p>
      <ValueUse showsUsed />
      <CatalogProblem />
      <TablePicker shown={tableKey} />
      <TabPanel list={TABS} shown={tableKey} className="self-stretch min-w-0">
        {settings.value !== null && (
          <TableEditor
            key={tableKey}
            tableKey={tableKey}
            label={labelOf(tableKey)}
            onAdd={() => setAdding(true)}
          />
        )}
        {settings.value === null && !settingsError.value && (
          <SkeletonRows rows={5} label="Loading columns…" />
        )}
      </TabPanel>
      <UnsavedChangesDialog />
      {isAdding && (
        <AddIndicatorDialog
          open
          multipleTimeframes
          onClose={() => setAdding(false)}
          onAdd={(result) => addPicked(tableKey, result)}
        />
      )}
    </section>
  );
}
