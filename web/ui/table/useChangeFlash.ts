import { type RefObject, useCallback, useEffect, useState } from 'react';
import { type Change, changedRows, type Marks } from './changeMarks.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { tintPaths, tintSlots } from './tintPaths.ts';
import type { DrawnLine } from './types.ts';

/** The ages of a flash after its first: a paler tint for each. */
const FADES = ['1', '2', '3'] as const;
/** From one age to the next, ms. */
const STEP_MS = 150;
const FLASH_MS = STEP_MS * (FADES.length + 1);

const NONE: ReadonlyMap<string, Marks> = new Map();

/** What is drawn in a body at a moment. */
export type Drawn<Row extends object> = {
  /** One per element of the body, in their order. */
  lines: readonly DrawnLine<Row>[];
  layout: ColumnLayout<Row>;
  /** px */
  rowHeight: number;
};

/** Where flashes are drawn; null before React has made it. */
type Surface = { body(): HTMLElement | null; tints(): SVGSVGElement | null };

/**
 * The tints under the rows, which the compositor lets fade in four steps: the page's own thread has nothing to do
 * until the next tick. Without motion they stay for their time and go at once.
 */
function createTintLayer(tints: () => SVGSVGElement | null) {
  const drawn: Record<Change, string> = { up: '', down: '' };
  const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let fading: Animation | null = null;
  let endsAt = 0;
  const begin = () => {
    const opacity = lessMotion.matches ? 1 : 0;
    // Begun again each time: to make one again costs as much as all the texts that changed.
    if (!fading || endsAt !== opacity) {
      fading?.cancel();
      endsAt = opacity;
      fading =
        tints()?.animate(
          { opacity: [1, opacity] },
          { duration: FLASH_MS, easing: `steps(${FADES.length + 1}, end)` },
        ) ?? null;
    }
    // Without a start of its own it waits for the compositor to name one, which costs the page a frame.
    if (fading) fading.startTime = document.timeline.currentTime;
  };
  return {
    draw<Row extends object>({ lines, layout, rowHeight }: Drawn<Row>, changed: ReadonlyMap<string, Marks>) {
      const paths = tintPaths(lines, changed, layout, rowHeight);
      for (const change of ['up', 'down'] as const) {
        if (drawn[change] === paths[change]) continue;
        drawn[change] = paths[change];
        tints()?.querySelector(`.table-tints-${change}`)?.setAttribute('d', paths[change]);
      }
    },
    flash: begin,
    stop: () => fading?.finish(),
  };
}

/**
 * The tints of pinned cells, which hide what is below them and have theirs in their own background. They are few, so
 * each step may style them again.
 */
function createPinnedTints(body: () => HTMLElement | null) {
  let tinted: ReadonlyMap<Element, Change> = new Map();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tint = (cells: ReadonlyMap<Element, Change>) => {
    for (const cell of tinted.keys()) if (!cells.has(cell)) cell.removeAttribute('data-flash');
    for (const [cell, change] of cells)
      if (tinted.get(cell) !== change) cell.setAttribute('data-flash', change);
    tinted = cells;
  };
  const fade = (step: number) => {
    const age = FADES[step];
    if (age === undefined) {
      tint(new Map());
      body()?.removeAttribute('data-fade');
      return;
    }
    body()?.setAttribute('data-fade', age);
    timer = setTimeout(() => fade(step + 1), STEP_MS);
  };
  return {
    draw<Row extends object>({ lines, layout }: Drawn<Row>, changed: ReadonlyMap<string, Marks>) {
      if (layout.isWide) tint(pinnedCells(body(), lines, layout, changed));
      else if (tinted.size > 0) tint(new Map());
    },
    flash() {
      clearTimeout(timer);
      if (tinted.size === 0) return;
      body()?.removeAttribute('data-fade');
      timer = setTimeout(() => fade(0), STEP_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

function pinnedCells<Row extends object>(
  body: HTMLElement | null,
  lines: readonly DrawnLine<Row>[],
  layout: ColumnLayout<Row>,
  changed: ReadonlyMap<string, Marks>,
): Map<Element, Change> {
  const cells = new Map<Element, Change>();
  const first = layout.expander ? 1 : 0;
  const { pinned } = tintSlots(layout);
  lines.forEach(({ item }, index) => {
    const marks = item.isDetail ? undefined : changed.get(item.id);
    for (const { id, place } of marks ? pinned : []) {
      const change = marks?.get(id);
      const cell = body?.children[index]?.children[first + place];
      if (cell && change) cells.set(cell, change);
    }
  });
  return cells;
}

/**
 * Tints changed cells and lets them fade in four steps over 600 ms. The tints are written past React, so that no row
 * renders for them, and stay with their rows when these move; a new tick ends the fading of the one before.
 */
function createChangeFlash<Row extends object>({ body, tints }: Surface) {
  const layers = [createTintLayer(tints), createPinnedTints(body)];
  let before: ReadonlyMap<string, Row> = new Map();
  let changed = NONE;
  let flashedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Looks at what was drawn. @param now monotonic ms */
    drawn(drawn: Drawn<Row>, now: number) {
      const rows = new Map(drawn.lines.map(({ item, row }) => [item.id, row]));
      const fresh = changedRows(before, rows, drawn.layout);
      before = rows;
      if (fresh.size > 0) {
        changed = fresh;
        flashedAt = now;
      } else if (now - flashedAt >= FLASH_MS) {
        changed = NONE;
      }
      if (changed.size === 0) return;
      for (const layer of layers) {
        layer.draw(drawn, changed);
        if (fresh.size > 0) layer.flash();
      }
    },
    stop: () => layers.forEach((layer) => layer.stop()),
  };
}

/** Flashes the changes of a table's body with each time that it is drawn; stopped when the table goes. */
export function useChangeFlash<Row extends object>(
  body: RefObject<HTMLElement | null>,
  tints: RefObject<SVGSVGElement | null>,
): (drawn: Drawn<Row>) => void {
  const [flash] = useState(() =>
    createChangeFlash<Row>({ body: () => body.current, tints: () => tints.current }),
  );
  useEffect(() => flash.stop, [flash]);
  return useCallback((drawn) => flash.drawn(drawn, performance.now()), [flash]);
}
