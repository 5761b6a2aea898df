import type { ReactNode } from 'react';
import { counted } from '#texts/format.ts';
import { csvOf, type DelimitedTable, tsvOf } from '#texts/csv.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { MenuItem, MenuSheet } from '#ui/MenuSheet.tsx';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { copyText, saveFile } from '../copyText.ts';
import * as exportedTable from './exportedTable.ts';

export type ExportCode = typeof exportedTable;

export type ExportMenuProps = {
  label: string;
  read(code: ExportCode): DelimitedTable;
  anchor: HTMLElement;
  onClose(): void;
};

const MAX_NAME = 60;

/**
 * The name of an exported file. 'Top Movers under $1' on 27 November 2026 gives
 * 'bellbird-top-movers-under-1-2026-11-27.csv'.
 */
export function fileNameOf(label: string, now: number): string {
  const words = label
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^a-z0-9]{1,60}/g, '-')
    .replace(/^-|-$/g, '');
  return `bellbird-${words}-${sydneyDate(now)}.csv`;
}

export async function copyTable(table: DelimitedTable): Promise<void> {
  const focused = document.activeElement;
  const isCopied = await copyText(tsvOf(table), focused instanceof HTMLElement ? focused : null);
  showSnackbar(
    isCopied
      ? `${counted(table.rows.length, 'row')} copied`
      : 'The browser refused to copy. Save the table as CSV instead.',
  );
}

export function saveTable(table: DelimitedTable, label: string): void {
  saveFile(new Blob([csvOf(table)], { type: 'text/csv;charset=utf-8' }), fileNameOf(label, Date.now()));
  showSnackbar(`${counted(table.rows.length, 'row')} saved as CSV`);
}

/** Import it lazily: it loads Base UI. */
export const ExportMenu = ({ label, read, anchor, onClose }: ExportMenuProps): ReactNode => (
  <MenuSheet label={`Export ${label}`} anchor={anchor} onClose={onClose}>
    <MenuItem onChoose={() => void copyTable(read(exportedTable))}>Copy for a spreadsheet</MenuItem>
    <MenuItem onChoose={() => saveTable(read(exportedTable), label)}>Save as CSV</MenuItem>
  </MenuSheet>
);
