import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import type { TableColumn } from './types.ts';

/** The look of a flash's age: the style sheet has a paler tint for each, ever after so many ms. */
const FADES = ['1', '2', '3'] as const;
const STEP_MS = 150;

type Direction = 'up' | 'down';
/** The direction of a row's changed numbers by the place of their column. */
type Marks = ReadonlyMap<number, Direction>;

export type FlashInput<Row> = {
  /** The rows that are drawn, by id. */
  drawn: ReadonlyMap<string, Row>;
  columns: readonly TableColumn<Row>[];
  /** How many cells stand before the first column. */
  offset: number;
};

const isNumber = (value: unknown): value is number => typeof value === 'number';

function marksOf<Row>(columns: readonly TableColumn<Row>[], before: Row, after: Row): Marks {
  const marks = new Map<number, Direction>();
  columns.forEach((column, place) => {
    if (!column.numeric) return;
    const old = column.read(before);
    const now = column.read(after);
    if (isNumber(old) && isNumber(now) && old !== now) marks.set(place, now > old ? 'up' : 'down');
  });
  return marks;
}

/**
 * Tints changed cells and lets them fade in four steps over 600 ms, with one timer for the whole table. A CSS
 * animation on each cell would style and paint all of them in each of its 36 frames: measured, ten times the cost.
 * The marks are written past React, so that no row renders for them; a new tick ends the fading of the one before.
 */
export function createFlasher<Row>(body: () => HTMLElement | null) {
  let drawnBefore: ReadonlyMap<string, Row> = new Map();
  let marked = new Map<string, Marks>();
  let tinted: ReadonlyMap<Element, Direction> = new Map();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Puts each mark on the line that its row is on now: lines keep their place and change their rows. */
  const tint = (offset: number) => {
    const wanted = new Map<Element, Direction>();
    for (const line of body()?.children ?? []) {
      const marks = marked.get(line.getAttribute('data-id') ?? '');
      if (!marks) continue;
      for (const [place, direction] of marks) {
        const cell = line.children[place + offset];
        if (cell) wanted.set(cell, direction);
      }
    }
    for (const cell of tinted.keys()) if (!wanted.has(cell)) cell.removeAttribute('data-flash');
    for (const [cell, direction] of wanted) {
      if (tinted.get(cell) !== direction) cell.setAttribute('data-flash', direction);
    }
    tinted = wanted;
  };

  const fade = (step: number) => {
    const name = FADES[step];
    if (name === undefined) {
      marked = new Map();
      tint(0);
      body()?.removeAttribute('data-fade');
      return;
    }
    body()?.setAttribute('data-fade', name);
    timer = setTimeout(() => fade(step + 1), STEP_MS);
  };

  return {
    /** Looks at what a commit has drawn: a row that was drawn before and whose number moved flashes. */
    drawn({ drawn, columns, offset }: FlashInput<Row>) {
      const fresh = new Map<string, Marks>();
      for (const [id, row] of drawn) {
        const before = drawnBefore.get(id);
        if (before === undefined || before === row) continue;
        const marks = marksOf(columns, before, row);
        if (marks.size > 0) fresh.set(id, marks);
      }
      drawnBefore = drawn;
      if (fresh.size > 0) {
        marked = fresh;
        clearTimeout(timer);
        body()?.removeAttribute('data-fade');
        timer = setTimeout(() => fade(0), STEP_MS);
      }
      if (marked.size > 0) tint(offset);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Flashes the changes of a table's body with each commit; stopped when the table goes. */
export function useFlashes<Row>(body: RefObject<HTMLElement | null>, input: FlashInput<Row>): void {
  const [flasher] = useState(() => createFlasher<Row>(() => body.current));
  useLayoutEffect(() => flasher.drawn(input));
  useEffect(() => flasher.stop, [flasher]);
}
