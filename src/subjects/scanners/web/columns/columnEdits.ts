import { placeText } from '#subjects/scanners/rules/columnEditor.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { moveColumn, resizeColumn } from '../shared/columns/layoutModel.ts';
import { changeColumns, columnsOf } from '../shared/columns/layouts.ts';

/**
 * Makes a column of a scanner's layout wider or narrower, within the limits of what can be saved.
 * @param width px
 */
export const resizeColumnOf = (scanner: ScannerKey, id: string, width: number): void =>
  changeColumns(scanner, (columns) => resizeColumn(columns, id, width));

/**
 * Puts a column of a scanner's layout in the place of another.
 * @returns where it went, in words: 'Match: before P. Close'
 */
export function placeColumn(scanner: ScannerKey, id: string, overId: string): string {
  const shown = columnsOf(scanner).filter(({ enabled }) => enabled);
  changeColumns(scanner, (columns) => moveColumn(columns, id, overId));
  return placeText(shown, id, overId);
}
