import type { ReactNode } from 'react';

export type CellValue = number | string | null;
export type CellTone = 'up' | 'down' | 'flat' | null;

/** A column as data: what it reads, how it is written, how wide it may be. Made once, never in a render. */
export type TableColumn<Row> = {
  id: string;
  label: string;
  /** A longer explanation of the label, shown on hover. */
  title?: string;
  numeric: boolean;
  /** Least and greatest width, px. */
  width: number;
  maxWidth: number;
  /** What the column sorts by; a change of a number flashes the cell. */
  read(row: Row): CellValue;
  /** What the cell says, unless it renders itself. */
  text(row: Row): string;
  /** Direction colour and arrow. */
  tone?: ((row: Row) => CellTone) | undefined;
  /** A cell of its own; `inTabOrder` tells whether its links and buttons may be reached by Tab. */
  render?: ((row: Row, inTabOrder: boolean) => ReactNode) | undefined;
  /** Stays in sight when the table is scrolled sideways. Pinned columns come first. */
  pinned?: boolean | undefined;
  /** Names the row for a screen reader. */
  isRowHeader?: boolean | undefined;
};

export type SortState = { id: string; desc: boolean };
