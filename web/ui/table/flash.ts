import { type RefObject, useEffect, useState } from 'react';
import type { TableColumn } from './types.ts';

/** The look of a flash's age: the style sheet has a paler tint for each, ever after so many ms. */
const FADES = ['1', '2', '3'] as const;
const STEP_MS = 150;

export type Flasher = {
  /** Tints a cell; all cells of one commit fade together. */
  flash(cell: Element, direction: 'up' | 'down'): void;
  stop(): void;
};

/**
 * Tints changed cells and lets them fade in four steps over 600 ms, with one timer for the whole table. A CSS
 * animation on each cell would style and paint all of them in each of its 36 frames: measured, ten times the cost.
 * The marks are written past React, so that no row renders for them; a new tick ends the fading of the one before.
 */
export function createFlasher(body: () => HTMLElement | null): Flasher {
  let cells = new Set<Element>();
  let isCollecting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const clear = (some: Iterable<Element>, except?: ReadonlySet<Element>) => {
    for (const cell of some) if (!except?.has(cell)) cell.removeAttribute('data-flash');
  };
  const fade = (step: number) => {
    const name = FADES[step];
    if (name === undefined) {
      clear(cells);
      cells = new Set();
      body()?.removeAttribute('data-fade');
      return;
    }
    body()?.setAttribute('data-fade', name);
    timer = setTimeout(() => fade(step + 1), STEP_MS);
  };
  const collect = () => {
    isCollecting = true;
    const before = cells;
    cells = new Set();
    // After the commit: its rows have then all told their cells.
    queueMicrotask(() => {
      isCollecting = false;
      clear(before, cells);
      clearTimeout(timer);
      body()?.removeAttribute('data-fade');
      timer = setTimeout(() => fade(0), STEP_MS);
    });
  };

  return {
    flash(cell, direction) {
      if (!isCollecting) collect();
      cell.setAttribute('data-flash', direction);
      cells.add(cell);
    },
    stop: () => clearTimeout(timer),
  };
}

/** A table body's flasher, stopped when the table goes. */
export function useFlasher(body: RefObject<HTMLElement | null>): Flasher {
  const [flasher] = useState(() => createFlasher(() => body.current));
  useEffect(() => flasher.stop, [flasher]);
  return flasher;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/**
 * Flashes the cells of a row whose number moved.
 * @param offset how many cells stand before the first column
 */
export const flashCells = <Row>(
  flasher: Pick<Flasher, 'flash'>,
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
    if (cell) flasher.flash(cell, now > old ? 'up' : 'down');
  });
};
