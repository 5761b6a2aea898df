import type { TableColumn } from './types.ts';

const isNumber = (value: unknown): value is number => typeof value === 'number';

/**
 * Marks the cells whose number moved, up or down. The mark alternates between two names of the same animation, so
 * that a second change within the first one's time starts it afresh; it is written past React, so that no row
 * renders for it, and taken off by `endFlash`.
 * @param offset how many cells stand before the first column
 */
export const flashCells = <Row>(
  element: HTMLElement,
  columns: readonly TableColumn<Row>[],
  offset: number,
  before: Row,
  after: Row,
): void => {
  columns.forEach((column, index) => {
    if (!column.numeric) return;
    const old = column.read(before);
    const now = column.read(after);
    if (!isNumber(old) || !isNumber(now) || old === now) return;
    const cell = element.children[index + offset];
    if (!cell) return;
    const name = now > old ? 'up' : 'down';
    cell.setAttribute('data-flash', cell.getAttribute('data-flash') === name ? `${name}-again` : name);
  });
};

/** Takes a finished flash off its cell: a row that moves in the document later would start it again. */
export const endFlash = (event: { target: EventTarget }): void => {
  if (event.target instanceof Element) event.target.removeAttribute('data-flash');
};
