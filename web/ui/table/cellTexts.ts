import { cellClass } from './cellClass.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { CellTone, DrawnLine, TableColumn } from './types.ts';

/** Writes a row into a cell. */
type WriteCell<Row extends object> = (row: Row, inTabOrder: boolean) => void;

/** What was written into a line. */
type Written<Row extends object> = {
  row: Row;
  isTabStop: boolean;
  layout: ColumnLayout<Row>;
  cells: readonly WriteCell<Row>[];
};

/** Writes a cell that is only text, and its class, where they differ from what it says. */
function textIn<Row extends object>(element: Element, column: TableColumn<Row>): WriteCell<Row> {
  const text = element.firstChild instanceof Text ? element.firstChild : new Text();
  if (element.childNodes.length !== 1 || text.parentNode === null) element.replaceChildren(text);
  let said = text.data;
  let tone: CellTone = null;
  let isMissing = false;
  return (row) => {
    const words = column.text(row);
    if (words !== said) {
      said = words;
      text.data = words;
      // A translator or an extension may have put something else in its place.
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
    // As React made it, or as it was left when the columns were others.
    element.className = cellClass(column);
    return [column.draw?.(element) ?? textIn(element, column)];
  });
}

/**
 * Writes the cells that are text, or draw themselves, past React, which makes them empty: with each tick it would render
 * and compare all cells of every changed row, for those that say something new. A line is looked at when it shows
 * another row object, a cell is written when its text differs.
 */
export function createCellTexts<Row extends object>() {
  const written = new WeakMap<Element, Written<Row>>();
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
