import type { ReadonlySignal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import type { Direction } from '../Trend.tsx';
import type { RowItem } from './rowItems.ts';
import type { ModelColumn } from './tableModel.ts';

export type CellValue = number | string | null;
export type CellTone = Direction | null;

/** A column as data. Create it once, never in a render. */
export type TableColumn<Row> = {
  id: string;
  label: string;
  title?: string;
  numeric: boolean;
  /** Minimum and maximum width, px. */
  width: number;
  maxWidth: number;
  read(row: Row): CellValue;
  /** False for a button column: its heading is only for screen readers. */
  isSortable?: false;
  /** Whether a visible change of a number flashes; default true. */
  flashes?: boolean | undefined;
  /** Long texts are cut with an ellipsis. */
  isLong?: boolean | undefined;
  /** The cell's text, unless it renders itself. */
  text(row: Row): string;
  tone?: ((row: Row) => CellTone) | undefined;
  /**
   * A cell with more than text, written past React: takes an empty cell, or its own earlier one, and returns a
   * function that writes a row.
   */
  draw?: ((cell: Element) => (row: Row, inTabOrder: boolean) => void) | undefined;
  /**
   * A React-rendered cell instead of `text` and `draw`; `inTabOrder`: its links and buttons can be reached by Tab.
   */
  render?: ((row: Row, inTabOrder: boolean) => ReactNode) | undefined;
  /** Precedes unpinned columns and stays visible when scrolling sideways. */
  pinned?: boolean | undefined;
  isRowHeader?: boolean | undefined;
  /** `read` gives epoch ms; exports get a time. */
  isTime?: boolean | undefined;
  /** Exported instead of the column. */
  taken?: readonly TakenColumn<Row>[] | undefined;
};

export type TakenColumn<Row> = { label: string; value(row: Row): CellValue };

/** Rows that change without rendering their owner: the table draws them itself. */
export type LiveRows<Row> = ReadonlySignal<readonly Row[]>;

export type SortState = { id: string; desc: boolean };

/** One object per column for all rows, so that nothing compares it twice. */
export type CellStyle = { width: number; left?: number; boxShadow?: string };

export type ShownColumn<Row extends object> = {
  column: TableColumn<Row>;
  model: ModelColumn<Row>;
  style: CellStyle;
};

/** A rendered line, with its row or its panel's row. */
export type DrawnLine<Row> = {
  item: RowItem;
  line: number;
  start: number;
  row: Row;
};

/** Each object is a separate request, even for the same row. */
export type RowRequest = { readonly id: string };

export type OpenRows = { open: ReadonlySet<string>; toggle(id: string): void };

export type RowDetail<Row> = {
  /** The expander column's heading, for screen readers. */
  heading: string;
  /** Whether a click on a row opens it; otherwise only a tap on a phone does. */
  opensByClick?: boolean;
  /** The name of a row's expander. */
  label(row: Row): string;
  render(row: Row): ReactNode;
};

export type RowMenuRequest = {
  id: string;
  line: HTMLElement;
  /** The pointer's position, px of the window; null for a key. */
  at: { x: number; y: number } | null;
};
