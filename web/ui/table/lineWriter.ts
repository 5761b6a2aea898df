import { cellClass, type ColumnLayout } from './columnLayout.ts';
import type { CellTone, DrawnLine, RowDetail, TableColumn } from './tableModel.ts';
import type { ShownRows } from './useShownRows.ts';

type WriteCell<Row extends object> = (row: Row, inTabOrder: boolean) => void;

type WrittenCell<Row extends object> = {
  row: Row;
  isTabStop: boolean;
  layout: ColumnLayout<Row>;
  cells: readonly WriteCell<Row>[];
};

/** Writes a cell's text and class if they differ. */
function textIn<Row extends object>(element: Element, column: TableColumn<Row>): WriteCell<Row> {
  const text = element.firstChild instanceof Text ? element.firstChild : new Text();
  if (element.childNodes.length !== 1 || text.parentNode === null) element.replaceChildren(text);
  let written = text.data;
  let tone: CellTone = null;
  let isMissing = false;
  return (row) => {
    const words = column.text(row);
    if (words !== written) {
      written = words;
      text.data = words;
      // A translator or an extension may have replaced the node.
      if (text.parentNode !== element) element.replaceChildren(text);
    }
    const toneNow = column.tone?.(row) ?? null;
    const isMissingNow = column.read(row) === null;
    if (toneNow === tone && isMissingNow === isMissing) return;
    tone = toneNow;
    isMissing = isMissingNow;
    element.className = cellClass(column, tone, isMissing);
  };
}

function cellsOf<Row extends object>(
  line: Element,
  { shown, expander }: ColumnLayout<Row>,
): WriteCell<Row>[] {
  const first = expander ? 1 : 0;
  return shown.flatMap(({ column }, index) => {
    const element = line.children[first + index];
    if (column.render || !element) return [];
    // The class as React rendered it, because other columns may have changed it.
    element.className = cellClass(column);
    return [column.draw?.(element) ?? textIn(element, column)];
  });
}

/**
 * Writes cells without React, which would render and compare all cells of every changed row per tick. Checks a line
 * when its row object changes, and writes a cell when its text differs.
 */
function createCellTexts<Row extends object>() {
  const written = new WeakMap<Element, WrittenCell<Row>>();
  return {
    draw(line: Element, { row }: DrawnLine<Row>, isTabStop: boolean, layout: ColumnLayout<Row>): void {
      const before = written.get(line);
      if (before?.row === row && before.isTabStop === isTabStop && before.layout === layout) return;
      const cells = before?.layout === layout ? before.cells : cellsOf(line, layout);
      for (const write of cells) write(row, isTabStop);
      written.set(line, { row, isTabStop, layout, cells });
    },
  };
}

/** A line's attributes for keyboard, styles and screen readers. */
type LineState = {
  id: string;
  /** True for the row that Tab reaches. */
  isTabStop: boolean;
  /** True if focused by keyboard, or clicked last. */
  isSelected: boolean;
  /** True if the row no longer belongs, but the order is held. */
  hasLeft: boolean;
  isOpen: boolean;
  expanderLabel: string;
};

type Written = { state: LineState; button: HTMLElement | null };

const NEVER: Partial<LineState> = {};

function mark(element: Element, name: string, isOn: boolean): void {
  if (isOn) element.setAttribute(name, 'true');
  else element.removeAttribute(name);
}

function writeLine(line: HTMLElement, state: LineState, before: Partial<LineState>): void {
  if (state.id !== before.id) line.setAttribute('data-id', state.id);
  if (state.isTabStop !== before.isTabStop) line.tabIndex = state.isTabStop ? 0 : -1;
  if (state.isSelected !== (before.isSelected ?? false)) mark(line, 'aria-selected', state.isSelected);
  if (state.hasLeft !== (before.hasLeft ?? false)) mark(line, 'data-left', state.hasLeft);
  if (state.isOpen !== (before.isOpen ?? false)) mark(line, 'data-open', state.isOpen);
}

function writeButton(button: HTMLElement, state: LineState, before: Partial<LineState>): void {
  if (state.isTabStop !== before.isTabStop) button.tabIndex = state.isTabStop ? 0 : -1;
  if (state.isOpen !== before.isOpen) button.setAttribute('aria-expanded', String(state.isOpen));
  if (state.expanderLabel !== before.expanderLabel) button.setAttribute('aria-label', state.expanderLabel);
}

/**
 * Writes lines' attributes without React: a re-sort gives nearly every line another row, and rendering them takes
 * longer than all writes.
 */
function createLineStates() {
  const written = new WeakMap<Element, Written>();
  return {
    /** @param button the line's expander; null if rows do not open */
    draw(line: HTMLElement, button: HTMLElement | null, state: LineState): void {
      const before = written.get(line);
      writeLine(line, state, before?.state ?? NEVER);
      if (button) writeButton(button, state, before?.button === button ? before.state : NEVER);
      written.set(line, { state, button });
    },
  };
}

type Shown<Row extends object> = {
  shown: Pick<ShownRows<Row>, 'leftIds' | 'openIds'>;
  layout: ColumnLayout<Row>;
  detail: RowDetail<Row> | undefined;
  tabStop: string | null;
  selectedId: string | null;
};

function expanderOf(line: Element): HTMLElement | null {
  const button = line.firstElementChild?.firstElementChild;
  return button instanceof HTMLElement ? button : null;
}

/** Writes rows into React's lines before the browser paints. */
export function createLineWriter<Row extends object>() {
  const states = createLineStates();
  const texts = createCellTexts<Row>();
  return {
    /** @param elements one element per line, in order */
    draw(elements: HTMLCollection, lines: readonly DrawnLine<Row>[], shown: Shown<Row>): void {
      const { layout, detail, tabStop, selectedId } = shown;
      const { leftIds, openIds } = shown.shown;
      lines.forEach((line, index) => {
        const { id, isDetail } = line.item;
        const element = elements[index];
        if (isDetail || !(element instanceof HTMLElement)) return;
        const isTabStop = id === tabStop;
        states.draw(element, layout.expander && expanderOf(element), {
          id,
          isTabStop,
          isSelected: id === selectedId,
          hasLeft: leftIds.has(id),
          isOpen: openIds.has(id),
          expanderLabel: detail?.label(line.row) ?? '',
        });
        texts.draw(element, line, isTabStop, layout);
      });
    },
  };
}
