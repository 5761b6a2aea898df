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
import { keptInput, useHeldInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { saveColumns, settings } from '#web/shared/settings.ts';
import type { PickerResult } from '#web/shared/indicators/AddIndicatorDialog.tsx';

type Lists = Readonly<Partial<Record<ScannerKey, readonly ColumnEntry[]>>>;
/** `columnId` is the column that caused the refusal. */
type RefusedColumns = { message: string; columnId: string | null };
type RefusedTables = Readonly<Partial<Record<ScannerKey, RefusedColumns>>>;

const drafts = signal<Lists>({});
const saving = signal<ReadonlySet<ScannerKey>>(new Set());
const refused = signal<RefusedTables>({});

export const savedColumns = (tableKey: ScannerKey): readonly ColumnEntry[] =>
  settings.value?.columnPreferences[tableKey] ?? defaultEntries(tableKey);

export const draftColumns = (tableKey: ScannerKey): readonly ColumnEntry[] =>
  drafts.value[tableKey] ?? savedColumns(tableKey);

export const isSavingColumns = (tableKey: ScannerKey): boolean => saving.value.has(tableKey);
export const refusedColumns = (tableKey: ScannerKey): RefusedColumns | null =>
  refused.value[tableKey] ?? null;

export const changedTables: ReadonlySignal<readonly ScannerKey[]> = computed(() =>
  SCANNER_KEYS.filter((key) => differ(draftColumns(key), savedColumns(key))),
);

function setRefused(tableKey: ScannerKey, refusal: RefusedColumns | null): void {
  const { [tableKey]: _, ...others } = refused.peek();
  refused.value = refusal === null ? others : { ...others, [tableKey]: refusal };
}

export const dismissRefused = (tableKey: ScannerKey): void => setRefused(tableKey, null);

/** By id instead of index, because the order may change while editing. */
function refusedIn(sent: readonly ColumnEntry[], { field, message }: Refusal): RefusedColumns {
  const index = indexIn('columns', field);
  return { message, columnId: index === null ? null : (sent[index]?.id ?? null) };
}

/** Null reverts to the saved columns. */
export function editColumns(tableKey: ScannerKey, columns: readonly ColumnEntry[] | null): void {
  const { [tableKey]: _, ...others } = drafts.peek();
  drafts.value = columns === null ? others : { ...others, [tableKey]: columns };
}

/** An indicator creates a column per timeframe. */
function pickedEntries(tableKey: ScannerKey, result: PickerResult): ColumnEntry[] {
  if (result.kind === 'htf') return [htfEntry(result.choice)];
  if (result.kind === 'field') return [fieldEntry(tableKey, result.key)].filter((entry) => entry !== null);
  const catalog = platformCatalog.peek()?.catalog ?? { indicators: {} };
  return result.choices.map((choice) => indicatorEntry(catalog, choice)).filter((entry) => entry !== null);
}

export function addPicked(tableKey: ScannerKey, result: PickerResult): void {
  editColumns(tableKey, addColumns(draftColumns(tableKey), pickedEntries(tableKey, result)));
}

/** Changes made during the save stay in the draft. Returns whether it was saved. */
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

/** Restores drafts from an interrupted session, and keeps the current ones in case it happens again. */
export function useHeldDrafts(): void {
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
