import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { isPopup } from '#web/windows/popup.ts';
import { navigate } from '#web/router/navigate.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { signal } from '@preact/signals-react';

/** Session storage key. Its value is the scanner (a ScannerKey) whose columns Settings opens. */
export const COLUMN_TARGET_KEY = 'columnTarget';

/** Event that a popup sends to the main window, where Settings may be open. */
const TARGET_EVENT = 'bellbird-column-target';

function keep(home: Window, scanner: ScannerKey): void {
  try {
    home.sessionStorage.setItem(COLUMN_TARGET_KEY, scanner);
  } catch (problem) {
    console.warn('The column target could not be stored; Settings opens at its first table.', problem);
  }
}

/** The window that opened this popup; null for other windows, or if it was closed. */
function openerOf(): Window | null {
  const opener: unknown = window.opener;
  if (!isPopup || opener === null || typeof opener !== 'object') return null;
  try {
    const home = opener as Window;
    return home.closed || home.origin !== window.origin ? null : home;
  } catch {
    return null; // The opener shows another site.
  }
}

/** Opens a table's columns in Settings. A popup uses the main window. */
export function configureColumns(scanner: ScannerKey): void {
  const home = openerOf();
  keep(home ?? window, scanner);
  if (!home) return navigate(SETTINGS_PATH);
  home.location.hash = SETTINGS_PATH;
  // Notifies Settings in case it is already open there.
  home.dispatchEvent(new Event(TARGET_EVENT));
  home.focus();
}

/** Returns the scanner to open once, then null. */
export function takeColumnTarget(): ScannerKey | null {
  try {
    const kept = window.sessionStorage.getItem(COLUMN_TARGET_KEY);
    window.sessionStorage.removeItem(COLUMN_TARGET_KEY);
    return SCANNER_KEYS.find((key) => key === kept) ?? null;
  } catch {
    return null; // Session storage is disabled.
  }
}

/** Calls back when another window requests a table's columns while Settings is open. Returns the stop function. */
export function onColumnTarget(asked: () => void): () => void {
  window.addEventListener(TARGET_EVENT, asked);
  return () => window.removeEventListener(TARGET_EVENT, asked);
}

/**
 * Why the last change of a layout was reverted; null on success. It is here because `layouts.ts` loads only with the
 * first change.
 */
export const layoutError = signal<string | null>(null);
