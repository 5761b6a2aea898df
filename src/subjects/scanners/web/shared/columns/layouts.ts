import { type ColumnEntry, defaultEntries } from '#market/scanners/rules/columnEntry.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { saySaved } from '#web/shared/saved.ts';
import { layoutError } from './layoutError.ts';
import { patchSettings, saveColumns, settings } from '#web/shared/settings.ts';

/** Several changes in a row, such as a column moved by a key that is held, are saved as one. */
const SAVE_AFTER_MS = 300;

type Unsaved = {
  /** As the server has it; undefined for the default layout. */
  saved: readonly ColumnEntry[] | undefined;
  newest: readonly ColumnEntry[];
  timer: ReturnType<typeof setTimeout> | undefined;
};

const unsaved = new Map<ScannerKey, Unsaved>();

/** A table's columns as they are shown; the default ones until the settings are loaded. */
export const columnsOf = (scanner: ScannerKey): readonly ColumnEntry[] =>
  settings.value?.columnPreferences[scanner] ?? defaultEntries(scanner);

function show(scanner: ScannerKey, columns: readonly ColumnEntry[] | undefined): void {
  const { [scanner]: _, ...others } = settings.peek()?.columnPreferences ?? {};
  patchSettings({ columnPreferences: columns ? { ...others, [scanner]: columns } : others });
}

/**
 * Changes a table's columns at once and saves them a moment later; what the server refuses is taken back, and
 * `layoutError` says why. Does nothing until the settings are loaded.
 */
export function changeColumns(
  scanner: ScannerKey,
  change: (columns: readonly ColumnEntry[]) => readonly ColumnEntry[],
): void {
  if (settings.peek() === null) return;
  const before = unsaved.get(scanner);
  clearTimeout(before?.timer);
  const newest = change(columnsOf(scanner));
  unsaved.set(scanner, {
    saved: before ? before.saved : settings.peek()?.columnPreferences[scanner],
    newest,
    timer: setTimeout(() => void save(scanner), SAVE_AFTER_MS),
  });
  layoutError.value = null;
  show(scanner, newest);
}

async function save(scanner: ScannerKey): Promise<void> {
  const sent = unsaved.get(scanner);
  if (!sent) return;
  const refusal = await saveColumns(scanner, sent.newest);
  const now = unsaved.get(scanner);
  if (now !== sent) {
    // Changed meanwhile: the answer says nothing of what is shown now, which has its own save to come.
    if (now && refusal === null) now.saved = sent.newest;
    if (now) show(scanner, now.newest);
    return;
  }
  unsaved.delete(scanner);
  if (refusal === null) return saySaved();
  show(scanner, sent.saved);
  layoutError.value = refusal.message;
}
