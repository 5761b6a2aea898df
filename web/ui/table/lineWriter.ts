import { createCellTexts } from './cellTexts.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { createLineStates } from './lineStates.ts';
import type { DrawnLine, RowDetail } from './types.ts';
import type { ShownRows } from './useShownRows.ts';

/** What lines show besides their rows. */
type Shown<Row> = {
  shown: Pick<ShownRows<Row>, 'leftIds' | 'openIds'>;
  layout: ColumnLayout<Row>;
  detail: RowDetail<Row> | undefined;
  /** The id of the row that Tab reaches; null when there is none. */
  tabStop: string | null;
  /** The id of the row that is selected; null when there is none. */
  selectedId: string | null;
};

/** Of a line, in its first cell. */
function expanderOf(line: Element): HTMLElement | null {
  const button = line.firstElementChild?.firstElementChild;
  return button instanceof HTMLElement ? button : null;
}

/** Writes rows into the lines that React has made, before the browser paints. */
export function createLineWriter<Row>() {
  const states = createLineStates();
  const texts = createCellTexts<Row>();
  return {
    /** @param elements one per line, in their order */
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
