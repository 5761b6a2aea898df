import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { ColumnLayout } from './columnLayout.ts';
import type { DrawnLine } from './types.ts';

type Change = 'up' | 'down';
/** The changes of a row's numbers, by the id of their column. */
type Marks = ReadonlyMap<string, Change>;

const isNumber = (value: unknown): value is number => typeof value === 'number';

function marksOf<Row extends object>({ shown }: ColumnLayout<Row>, before: Row, after: Row): Marks {
  const marks = new Map<string, Change>();
  for (const { column } of shown) {
    if (!column.numeric || column.flashes === false) continue;
    const old = column.read(before);
    const now = column.read(after);
    if (!isNumber(old) || !isNumber(now) || old === now) continue;
    // A change beyond the decimals shown is not to be seen.
    if (column.text(before) !== column.text(after)) marks.set(column.id, now > old ? 'up' : 'down');
  }
  return marks;
}

/**
 * Which numbers of columns that flash have changed in what is seen of them, and which way, in the rows that were drawn
 * before and are drawn now. A value that was not known before, or is not now, has no direction.
 * @param before rows by id; a row that is the identical object has not changed
 */
function changedRows<Row extends object>(
  before: ReadonlyMap<string, Row>,
  now: ReadonlyMap<string, Row>,
  layout: ColumnLayout<Row>,
): ReadonlyMap<string, Marks> {
  const changed = new Map<string, Marks>();
  for (const [id, row] of now) {
    const old = before.get(id);
    if (old === undefined || old === row) continue;
    const marks = marksOf(layout, old, row);
    if (marks.size > 0) changed.set(id, marks);
  }
  return changed;
}

/** An SVG path for each direction, in px from the top left corner of the body. */
type TintPaths = Readonly<Record<Change, string>>;

/** A row's lower border, which a tint leaves free, px. */
const BORDER = 1;

/** Where the cells of a column stand: in px, and by their place among the columns shown. */
type Slot = { id: string; place: number; left: number; width: number };

/**
 * The columns whose tints lie under the rows, and those whose cells stand still and hide what slides below them: a
 * tint under those would not be seen.
 */
function tintSlots<Row extends object>({
  shown,
  expander,
  isWide,
}: ColumnLayout<Row>): {
  under: readonly Slot[];
  pinned: readonly Slot[];
} {
  const under: Slot[] = [];
  const pinned: Slot[] = [];
  let left = expander?.width ?? 0;
  shown.forEach(({ column, style }, place) => {
    (isWide && column.pinned ? pinned : under).push({ id: column.id, place, left, width: style.width });
    left += style.width;
  });
  return { under, pinned };
}

/**
 * The areas of the changed cells that have their tints under them.
 * @param changed by the row's id
 * @param rowHeight px
 */
function tintPaths<Row extends object>(
  lines: readonly DrawnLine<Row>[],
  changed: ReadonlyMap<string, Marks>,
  layout: ColumnLayout<Row>,
  rowHeight: number,
): TintPaths {
  const { under } = tintSlots(layout);
  const height = rowHeight - BORDER;
  const paths = { up: '', down: '' };
  for (const { item, start } of lines) {
    const marks = item.isDetail ? undefined : changed.get(item.id);
    if (!marks) continue;
    for (const { id, left, width } of under) {
      const change = marks.get(id);
      if (change) paths[change] += `M${left} ${start}h${width}v${height}h${-width}z`;
    }
  }
  return paths;
}

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
