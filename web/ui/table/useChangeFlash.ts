import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { ColumnLayout } from './columnLayout.ts';
import type { DrawnLine } from './tableModel.ts';

type Change = 'up' | 'down';
/** Changes of a row's numbers, by column id. */
type Marks = ReadonlyMap<string, Change>;

const isNumber = (value: unknown): value is number => typeof value === 'number';

function marksOf<Row extends object>({ shown }: ColumnLayout<Row>, before: Row, after: Row): Marks {
  const marks = new Map<string, Change>();
  for (const { column } of shown) {
    if (!column.numeric || column.flashes === false) continue;
    const old = column.read(before);
    const now = column.read(after);
    if (!isNumber(old) || !isNumber(now) || old === now) continue;
    // A change beyond the displayed decimals is not visible.
    if (column.text(before) !== column.text(after)) marks.set(column.id, now > old ? 'up' : 'down');
  }
  return marks;
}

/**
 * Visible changes of numbers in columns that flash, for rows drawn before and now. A change from or to an unknown value
 * has no direction.
 * @param before rows by id; the same object has not changed
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

/** One SVG path per direction, in px from the body's top left corner. */
type TintPaths = Readonly<Record<Change, string>>;

/** Height of a row's lower border, which has no tint, px. */
const BORDER = 1;

/** A column's index, and its position in px. */
type Slot = { id: string; place: number; left: number; width: number };

/** Columns with tints below the rows, and pinned ones, whose cells cover what is below them. */
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

/** The areas of changed cells whose tints are below the rows. @param changed by row id @param rowHeight px */
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

const FADES = ['1', '2', '3'] as const;
/** Duration of one step of a fade, ms. */
const STEP_MS = 150;
const FLASH_MS = STEP_MS * (FADES.length + 1);

const NONE: ReadonlyMap<string, Marks> = new Map();

export type Drawn<Row extends object> = {
  lines: readonly DrawnLine<Row>[];
  layout: ColumnLayout<Row>;
  /** Height of a row, px. */
  rowHeight: number;
};

/** The elements in which flashes are drawn; null before React has rendered them. */
type Surface = { body(): HTMLElement | null; tints(): SVGSVGElement | null };

/**
 * The tints below the rows. The compositor fades them in four steps without work on the main thread. With reduced
 * motion they disappear without fading.
 */
function createTintLayer(tints: () => SVGSVGElement | null) {
  const drawn: Record<Change, string> = { up: '', down: '' };
  const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let fading: Animation | null = null;
  let endsAt = 0;
  const begin = () => {
    const opacity = lessMotion.matches ? 1 : 0;
    // Restarted each time, because a new animation costs as much as all changed texts.
    if (!fading || endsAt !== opacity) {
      fading?.cancel();
      endsAt = opacity;
      fading =
        tints()?.animate(
          { opacity: [1, opacity] },
          { duration: FLASH_MS, easing: `steps(${FADES.length + 1}, end)` },
        ) ?? null;
    }
    // Sets the time itself, because waiting for the compositor's start time costs a frame.
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
 * Tints of pinned cells, in their own background because they cover what is below. They are few, so each step may
 * restyle them.
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
 * Tints changed cells and fades them in four steps over 600 ms. It does not use React, so no row renders; tints move
 * with their rows, and a new tick ends the previous fade.
 */
function createChangeFlash<Row extends object>({ body, tints }: Surface) {
  const layers = [createTintLayer(tints), createPinnedTints(body)];
  let before: ReadonlyMap<string, Row> = new Map();
  let changed = NONE;
  let flashedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Compares with the previous content. @param now monotonic ms */
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
