import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import type { ColumnLayout } from './columnLayout.ts';

/** The ages of a flash: the style sheet has a paler tint for each. */
const FADES = ['1', '2', '3'] as const;
/** From one age to the next, ms. */
const STEP_MS = 150;

type Change = 'up' | 'down';
/** The changes of a row's numbers by the place of their cell. */
type Marks = ReadonlyMap<number, Change>;

const isNumber = (value: unknown): value is number => typeof value === 'number';

function marksOf<Row>({ shown, expander }: ColumnLayout<Row>, before: Row, after: Row): Marks {
  const marks = new Map<number, Change>();
  const first = expander ? 1 : 0;
  shown.forEach(({ column }, index) => {
    if (!column.numeric) return;
    const old = column.read(before);
    const now = column.read(after);
    if (isNumber(old) && isNumber(now) && old !== now) marks.set(first + index, now > old ? 'up' : 'down');
  });
  return marks;
}

/** The marks of each row that was drawn before and has changed. */
function changedRows<Row>(
  before: ReadonlyMap<string, Row>,
  now: ReadonlyMap<string, Row>,
  layout: ColumnLayout<Row>,
): Map<string, Marks> {
  const changed = new Map<string, Marks>();
  for (const [id, row] of now) {
    const old = before.get(id);
    if (old === undefined || old === row) continue;
    const marks = marksOf(layout, old, row);
    if (marks.size > 0) changed.set(id, marks);
  }
  return changed;
}

/** The cells that the marks are on: lines keep their place and change their rows. */
function markedCells(body: HTMLElement | null, changed: ReadonlyMap<string, Marks>): Map<Element, Change> {
  const cells = new Map<Element, Change>();
  for (const line of body?.children ?? []) {
    const marks = changed.get(line.getAttribute('data-id') ?? '');
    if (!marks) continue;
    for (const [place, change] of marks) {
      const cell = line.children[place];
      if (cell) cells.set(cell, change);
    }
  }
  return cells;
}

function writeTints(before: ReadonlyMap<Element, Change>, now: ReadonlyMap<Element, Change>): void {
  for (const cell of before.keys()) if (!now.has(cell)) cell.removeAttribute('data-flash');
  for (const [cell, change] of now) if (before.get(cell) !== change) cell.setAttribute('data-flash', change);
}

/**
 * Tints changed cells and lets them fade in four steps over 600 ms, with one timer for the whole table. A CSS
 * animation on each cell would style and paint all of them in each of its 36 frames: measured, ten times the cost.
 * The marks are written past React, so that no row renders for them; a new tick ends the fading of the one before.
 */
function createChangeFlash<Row>(body: () => HTMLElement | null) {
  let drawnBefore: ReadonlyMap<string, Row> = new Map();
  let changed: ReadonlyMap<string, Marks> = new Map();
  let tinted: ReadonlyMap<Element, Change> = new Map();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tint = () => {
    const cells = markedCells(body(), changed);
    writeTints(tinted, cells);
    tinted = cells;
  };
  const fade = (step: number) => {
    const age = FADES[step];
    if (age === undefined) {
      changed = new Map();
      tint();
      body()?.removeAttribute('data-fade');
      return;
    }
    body()?.setAttribute('data-fade', age);
    timer = setTimeout(() => fade(step + 1), STEP_MS);
  };

  return {
    /** Looks at what a commit has drawn. */
    drawn(rows: ReadonlyMap<string, Row>, layout: ColumnLayout<Row>) {
      const fresh = changedRows(drawnBefore, rows, layout);
      drawnBefore = rows;
      if (fresh.size > 0) {
        changed = fresh;
        clearTimeout(timer);
        body()?.removeAttribute('data-fade');
        timer = setTimeout(() => fade(0), STEP_MS);
      }
      if (changed.size > 0) tint();
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Flashes the changes of a table's body with each commit; stopped when the table goes.
 * @param drawn the rows that are drawn, by id
 */
export function useChangeFlash<Row>(
  body: RefObject<HTMLElement | null>,
  drawn: ReadonlyMap<string, Row>,
  layout: ColumnLayout<Row>,
): void {
  const [flash] = useState(() => createChangeFlash<Row>(() => body.current));
  useLayoutEffect(() => flash.drawn(drawn, layout));
  useEffect(() => flash.stop, [flash]);
}
