import { useLayoutEffect } from 'react';
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { addColumns, differ } from '#subjects/scanners/rules/columnEditor.ts';
import {
  type ColumnEntry,
  defaultEntries,
  fieldEntry,
  htfEntry,
  indicatorEntry,
} from '#market/scanners/rules/columnEntry.ts';
import { indexIn, type Refusal } from '#lib/result.ts';
import { isRecord } from '#lib/json.ts';
import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { platformCatalog } from '#web/shared/indicators/catalog.ts';
import { saySaved } from '#web/shared/saved.ts';
import { keptInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { useHeldInput } from '#subjects/accounts/web/shared/session/useHeldInput.ts';
import { saveColumns, settings } from '#web/shared/settings.ts';
import type { PickerResult } from '#web/shared/indicators/AddIndicatorDialog.tsx';

type Lists = Readonly<Partial<Record<ScannerKey, readonly ColumnEntry[]>>>;
/** Why a table's draft was not saved: a sentence, and the column at fault where there is one. */
export type RefusedColumns = { message: string; columnId: string | null };
type RefusedTables = Readonly<Partial<Record<ScannerKey, RefusedColumns>>>;

const drafts = signal<Lists>({});
const saving = signal<ReadonlySet<ScannerKey>>(new Set());
const refused = signal<RefusedTables>({});

/** A table's columns as the server has them. */
export const savedColumns = (tableKey: ScannerKey): readonly ColumnEntry[] =>
  settings.value?.columnPreferences[tableKey] ?? defaultEntries(tableKey);

/** A table's columns as they are edited; the saved ones while nothing is changed. */
export const draftColumns = (tableKey: ScannerKey): readonly ColumnEntry[] =>
  drafts.value[tableKey] ?? savedColumns(tableKey);

/** Whether a table's draft is being saved. */
export const isSavingColumns = (tableKey: ScannerKey): boolean => saving.value.has(tableKey);
/** Why a table's draft was not saved; null when it was. */
export const refusedColumns = (tableKey: ScannerKey): RefusedColumns | null =>
  refused.value[tableKey] ?? null;

/** Tables with changes that are not saved. */
export const changedTables: ReadonlySignal<readonly ScannerKey[]> = computed(() =>
  SCANNER_KEYS.filter((key) => differ(draftColumns(key), savedColumns(key))),
);

function setRefused(tableKey: ScannerKey, refusal: RefusedColumns | null): void {
  const { [tableKey]: _, ...others } = refused.peek();
  refused.value = refusal === null ? others : { ...others, [tableKey]: refusal };
}

/** Takes the refusal of a table's draft out of sight. */
export const dismissRefused = (tableKey: ScannerKey): void => setRefused(tableKey, null);

/** A refusal by the id of the column: its place in the list changes while the list is edited. */
function refusedIn(sent: readonly ColumnEntry[], { field, message }: Refusal): RefusedColumns {
  const index = indexIn('columns', field);
  return { message, columnId: index === null ? null : (sent[index]?.id ?? null) };
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
    setRefused(tableKey, null);
  });
  const refusal = await saveColumns(tableKey, sent);
  if (refusal === null) saySaved();
  batch(() => {
    saving.value = new Set([...saving.peek()].filter((key) => key !== tableKey));
    setRefused(tableKey, refusal && refusedIn(sent, refusal));
    if (refusal === null && !differ(sent, drafts.peek()[tableKey] ?? sent)) editColumns(tableKey, null);
  });
  return refusal === null;
}

/** Takes up the drafts that were open when a session ended under them, and keeps those of now should that happen again. */
export function useHeldDrafts(): void {
  const now = changedTables.value.length > 0 ? drafts.value : undefined;
  useLayoutEffect(() => {
    const kept = keptInput('columns');
    if (isRecord(kept)) drafts.value = kept as Lists;
  }, []);
  useHeldInput('columns', now);
}

/** Drops all drafts and refusals. */
export function dropDrafts(): void {
  batch(() => {
    drafts.value = {};
    refused.value = {};
  });
}
