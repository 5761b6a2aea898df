import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { addColumns, differ } from '../../../../src/domain/scanners/columnEditor.ts';
import {
  type ColumnEntry,
  defaultEntries,
  fieldEntry,
  htfEntry,
  indicatorEntry,
} from '../../../../src/domain/scanners/columnEntry.ts';
import { SCANNER_KEYS, type ScannerKey } from '../../../../src/domain/scanners/scanners.ts';
import { platformCatalog } from '../../../shared/indicators/catalog.ts';
import { saveColumns, settings } from '../../../shared/settings.ts';
import type { PickerResult } from '../../../shared/indicators/pickerResult.ts';

type Lists = Readonly<Partial<Record<ScannerKey, readonly ColumnEntry[]>>>;
type Errors = Readonly<Partial<Record<ScannerKey, string>>>;

const drafts = signal<Lists>({});
const saving = signal<ReadonlySet<ScannerKey>>(new Set());
const errors = signal<Errors>({});

/** A table's columns as the server has them. */
export const savedColumns = (tableKey: ScannerKey): readonly ColumnEntry[] =>
  settings.value?.columnPreferences[tableKey] ?? defaultEntries(tableKey);

/** A table's columns as they are edited; the saved ones while nothing is changed. */
export const draftColumns = (tableKey: ScannerKey): readonly ColumnEntry[] =>
  drafts.value[tableKey] ?? savedColumns(tableKey);

/** Whether a table's draft is being saved. */
export const isSavingColumns = (tableKey: ScannerKey): boolean => saving.value.has(tableKey);
/** Why a table's draft was not saved; null when it was. */
export const columnsError = (tableKey: ScannerKey): string | null => errors.value[tableKey] ?? null;

/** Tables with changes that are not saved. */
export const changedTables: ReadonlySignal<readonly ScannerKey[]> = computed(() =>
  SCANNER_KEYS.filter((key) => differ(draftColumns(key), savedColumns(key))),
);

/** Shows a sentence at a table; null takes it away. */
export function setError(tableKey: ScannerKey, error: string | null): void {
  const { [tableKey]: _, ...others } = errors.peek();
  errors.value = error === null ? others : { ...others, [tableKey]: error };
}

/** Changes a table's draft; null goes back to what is saved. */
export function editColumns(tableKey: ScannerKey, columns: readonly ColumnEntry[] | null): void {
  const { [tableKey]: _, ...others } = drafts.peek();
  drafts.value = columns === null ? others : { ...others, [tableKey]: columns };
}

/** The columns that a choice in the picker makes: an indicator gives one for each timeframe. */
function pickedEntries(tableKey: ScannerKey, result: PickerResult): ColumnEntry[] {
  if (result.kind === 'htf') return [htfEntry(result.choice)];
  if (result.kind === 'field') return [fieldEntry(tableKey, result.key)].filter((entry) => entry !== null);
  const catalog = platformCatalog.peek()?.catalog ?? { indicators: {} };
  return result.choices.map((choice) => indicatorEntry(catalog, choice)).filter((entry) => entry !== null);
}

/** Adds what was chosen in the picker to a table's draft. */
export function addPicked(tableKey: ScannerKey, result: PickerResult): void {
  editColumns(tableKey, addColumns(draftColumns(tableKey), pickedEntries(tableKey, result)));
}

/** Saves a table's draft; what is changed while it is being saved stays a draft. Returns whether it was saved. */
export async function saveDraft(tableKey: ScannerKey): Promise<boolean> {
  const sent = draftColumns(tableKey);
  batch(() => {
    saving.value = new Set([...saving.peek(), tableKey]);
    setError(tableKey, null);
  });
  const error = await saveColumns(tableKey, sent);
  batch(() => {
    saving.value = new Set([...saving.peek()].filter((key) => key !== tableKey));
    setError(tableKey, error);
    if (error === null && !differ(sent, drafts.peek()[tableKey] ?? sent)) editColumns(tableKey, null);
  });
  return error === null;
}

/** Drops all drafts and errors. */
export function dropDrafts(): void {
  batch(() => {
    drafts.value = {};
    errors.value = {};
  });
}
