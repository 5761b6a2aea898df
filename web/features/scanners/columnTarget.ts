import type { ScannerKey } from '../../../src/domain/scanners.ts';

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
