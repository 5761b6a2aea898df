import { cellClass } from './cellClass.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { CellTone, DrawnLine, TableColumn } from './types.ts';

/** A cell that is only text, and what it says at present. */
type TextCell<Row> = {
  column: TableColumn<Row>;
  element: Element;
  text: Text;
  said: string;
  tone: CellTone;
  isMissing: boolean;
};

/** What was written into a line. */
type Written<Row> = { row: Row; layout: ColumnLayout<Row>; cells: readonly TextCell<Row>[] };

function textCells<Row>(line: Element, { shown, expander }: ColumnLayout<Row>): TextCell<Row>[] {
  const first = expander ? 1 : 0;
  return shown.flatMap(({ column }, index) => {
    const element = line.children[first + index];
    if (column.render || !element) return [];
    const text = element.firstChild instanceof Text ? element.firstChild : new Text();
    if (element.childNodes.length !== 1 || text.parentNode === null) element.replaceChildren(text);
    // As React made it, or as it was left when the columns were others.
    element.className = cellClass(column);
    return [{ column, element, text, said: text.data, tone: null, isMissing: false }];
  });
}

function write<Row>(cell: TextCell<Row>, row: Row): void {
  const { column } = cell;
  const text = column.text(row);
  if (text !== cell.said) {
    cell.said = text;
    cell.text.data = text;
    // A translator or an extension may have put something else in its place.
    if (cell.text.parentNode !== cell.element) cell.element.replaceChildren(cell.text);
  }
  const tone = column.tone?.(row) ?? null;
  const isMissing = column.read(row) === null;
  if (tone === cell.tone && isMissing === cell.isMissing) return;
  cell.tone = tone;
  cell.isMissing = isMissing;
  cell.element.className = cellClass(column, tone, isMissing);
}

/**
 * Writes the cells that are only text past React, which makes them empty: with each tick it would render and compare
 * all cells of every changed row, for those that say something new. A line is looked at when it shows another row
 * object, a cell is written when its text differs.
 */
export function createCellTexts<Row>() {
  const written = new WeakMap<Element, Written<Row>>();
  return {
    /** @param elements one per line, in their order */
    draw(elements: HTMLCollection, lines: readonly DrawnLine<Row>[], layout: ColumnLayout<Row>): void {
      lines.forEach(({ item, row }, index) => {
        const element = elements[index];
        if (item.isDetail || !element) return;
        const before = written.get(element);
        if (before?.row === row && before.layout === layout) return;
        const cells = before?.layout === layout ? before.cells : textCells(element, layout);
        for (const cell of cells) write(cell, row);
        written.set(element, { row, layout, cells });
      });
    },
  };
}
