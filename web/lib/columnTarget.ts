import { SCANNER_KEYS, type ScannerKey } from '../../src/domain/scanners.ts';

/**
 * Session storage key under which 'Configure Columns' leaves the scanner whose table Settings is to open
 * (a ScannerKey, as plain text).
 */
export const COLUMN_TARGET_KEY = 'columnTarget';

/** Remembers, for this window's session, whose columns are about to be configured. */
export function keepColumnTarget(scanner: ScannerKey): void {
  try {
    window.sessionStorage.setItem(COLUMN_TARGET_KEY, scanner);
  } catch (problem) {
    console.warn('The column target could not be stored; Settings opens at its first table.', problem);
  }
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
