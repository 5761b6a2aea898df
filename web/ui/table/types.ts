import type { ReadonlySignal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import type { Direction } from '../Trend.tsx';
import type { RowItem } from './rowItems.ts';
import type { ModelColumn } from './tableModel.ts';

export type CellValue = number | string | null;
export type CellTone = Direction | null;

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
  /** What the column sorts by. */
  read(row: Row): CellValue;
  /** False for a column of buttons: its heading is only read out, and sorts nothing. */
  isSortable?: false;
  /** Whether a change of a number that is to be seen flashes the cell; left out, it does. */
  flashes?: boolean | undefined;
  /** Long texts, which end with dots where the column does. */
  isLong?: boolean | undefined;
  /** What the cell says, unless it renders itself. */
  text(row: Row): string;
  /** Direction colour and arrow. */
  tone?: ((row: Row) => CellTone) | undefined;
  /**
   * A cell that is more than text, written past React as texts are: takes an empty cell, or one that it wrote before, and
   * gives what writes a row into it.
   */
  draw?: ((cell: Element) => (row: Row, inTabOrder: boolean) => void) | undefined;
  /** A cell that React renders, in the place of both; `inTabOrder` tells whether its links and buttons may be reached by Tab. */
  render?: ((row: Row, inTabOrder: boolean) => ReactNode) | undefined;
  /** Stands before those that are not, and stays in sight when the table is scrolled sideways. */
  pinned?: boolean | undefined;
  /** Names the row for a screen reader. */
  isRowHeader?: boolean | undefined;
  /** `read` gives epoch ms: a spreadsheet is given the moment. */
  isTime?: boolean | undefined;
  /** What a spreadsheet is given in its place, where that is not what the column reads or says. */
  taken?: readonly TakenColumn<Row>[] | undefined;
};

/** What a spreadsheet is given of a row, and its heading there. */
export type TakenColumn<Row> = { label: string; value(row: Row): CellValue };

/** Rows that change without a render of who gives them: the table draws them by itself. */
export type LiveRows<Row> = ReadonlySignal<readonly Row[]>;

export type SortState = { id: string; desc: boolean };

/** A cell's place in its row; the same object for every row, so that nothing compares it twice. */
export type CellStyle = { width: number; left?: number; boxShadow?: string };

/** A column, what the table's model knows of it, and how its cells are drawn. */
export type ShownColumn<Row extends object> = {
  column: TableColumn<Row>;
  model: ModelColumn<Row>;
  style: CellStyle;
};

/** A line of the body that is drawn, with the row that it, or the panel on it, belongs to. */
export type DrawnLine<Row> = {
  item: RowItem;
  /** Its place among all lines, from 0. */
  line: number;
  /** px from the top of the body. */
  start: number;
  row: Row;
};

/** A row to go to. Each object is a request of its own, also for the same row. */
export type RowRequest = { readonly id: string };

/** Which rows are open, and what opens or closes one. */
export type OpenRows = { open: ReadonlySet<string>; toggle(id: string): void };

/** A panel that opens under a row. */
export type RowDetail<Row> = {
  /** The expander column's heading, for screen readers. */
  heading: string;
  /** Whether a click anywhere on a row opens it; else only a tap on a phone does. */
  opensByClick?: boolean;
  /** What the expander of a row is called. */
  label(row: Row): string;
  render(row: Row): ReactNode;
};

/** A row whose menu was asked for. */
export type RowMenuRequest = {
  id: string;
  /** The line that shows the row now; it may show another one later. */
  line: HTMLElement;
  /** Where the pointer was, px of the window; null when a key asked. */
  at: { x: number; y: number } | null;
};
