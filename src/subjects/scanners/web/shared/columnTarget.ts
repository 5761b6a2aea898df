import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { isPopup } from '#web/windows/popup.ts';
import { navigate } from '#web/router/navigate.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';

/**
 * Session storage key under which 'Configure Columns' leaves the scanner whose table Settings is to open
 * (a ScannerKey, as plain text).
 */
export const COLUMN_TARGET_KEY = 'columnTarget';

/** The event by which a popup tells the main window, where Settings may be open, that it left a target there. */
const TARGET_EVENT = 'bellbird-column-target';

function keep(home: Window, scanner: ScannerKey): void {
  try {
    home.sessionStorage.setItem(COLUMN_TARGET_KEY, scanner);
  } catch (problem) {
    console.warn('The column target could not be stored; Settings opens at its first table.', problem);
  }
}

/** The window that opened this one, where a popup has its settings; null when it is gone. */
function openerOf(): Window | null {
  const opener: unknown = window.opener;
  if (!isPopup || opener === null || typeof opener !== 'object') return null;
  try {
    const home = opener as Window;
    return home.closed || home.origin !== window.origin ? null : home;
  } catch {
    return null; // It shows another site by now.
  }
}

/** Goes to the columns of a scanner's table in Settings; from a window of its own, in the main window. */
export function configureColumns(scanner: ScannerKey): void {
  const home = openerOf();
  keep(home ?? window, scanner);
  if (!home) return navigate(SETTINGS_PATH);
  home.location.hash = SETTINGS_PATH;
  // Settings may be open there already.
  home.dispatchEvent(new Event(TARGET_EVENT));
  home.focus();
}

/** The scanner whose columns are to be configured, once: asked again there is none. */
export function takeColumnTarget(): ScannerKey | null {
  try {
    const kept = window.sessionStorage.getItem(COLUMN_TARGET_KEY);
    window.sessionStorage.removeItem(COLUMN_TARGET_KEY);
    return SCANNER_KEYS.find((key) => key === kept) ?? null;
  } catch {
    return null; // Storage is switched off in this browser: nothing was kept either.
  }
}

/** Calls back when another window wants a table's columns while Settings is open. Returns the stop function. */
export function onColumnTarget(asked: () => void): () => void {
  window.addEventListener(TARGET_EVENT, asked);
  return () => window.removeEventListener(TARGET_EVENT, asked);
}
