import { SCANNER_KEYS, type ScannerKey, SCANNERS } from '#market/scanners/rules/scanners.ts';
import { isPopup } from '#web/windows/popup.ts';
import { navigate, pathOf } from '#web/router/navigate.ts';
import { settingsPath } from '#web/router/routes.ts';
import { signal } from '@preact/signals-react';

const COLUMNS_PATH = settingsPath('columns');

/** The address of a table's columns: '/settings/columns/intra-day-small'. */
export const columnsPath = (scanner: ScannerKey): string => `${COLUMNS_PATH}${SCANNERS[scanner].route}`;

/** The table of an address in Settings; null for none. */
export const tableAt = (hash: string): ScannerKey | null =>
  SCANNER_KEYS.find((key) => pathOf(hash) === columnsPath(key)) ?? null;

/** Whether an address shows the columns of any table. */
export const showsColumns = (hash: string): boolean => `${pathOf(hash)}/`.startsWith(`${COLUMNS_PATH}/`);

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
  if (!home) return navigate(columnsPath(scanner));
  home.location.hash = columnsPath(scanner);
  home.focus();
}

/**
 * Why the last change of a layout was reverted; null on success. It is here because `layouts.ts` loads only with the
 * first change.
 */
export const layoutError = signal<string | null>(null);
