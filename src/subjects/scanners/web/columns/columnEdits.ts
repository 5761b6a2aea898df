import { moveColumn, placeText, setLooks } from '../../rules/columnEditor.ts';
import { MAX_WIDTH, MIN_WIDTH } from '../../rules/columnLooks.ts';
import type { ScannerKey } from '../../rules/scanners.ts';
import { changeColumns, columnsOf } from '../shared/columns/layouts.ts';

/**
 * Makes a column of a scanner's layout wider or narrower, within the limits of what can be saved.
 * @param width px
 */
export function resizeColumn(scanner: ScannerKey, id: string, width: number): void {
  const within = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width));
  changeColumns(scanner, (columns) => setLooks(columns, id, { width: within }));
}

/**
 * Puts a column of a scanner's layout in the place of another.
 * @returns where it went, in words: 'Match: before P. Close'
 */
export function placeColumn(scanner: ScannerKey, id: string, overId: string): string {
  const shown = columnsOf(scanner).filter(({ enabled }) => enabled);
  changeColumns(scanner, (columns) => moveColumn(columns, id, overId));
  return placeText(shown, id, overId);
}
