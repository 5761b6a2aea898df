import { createCellTexts } from './cellTexts.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { DrawnLine, RowDetail } from './types.ts';
import type { ShownRows } from './useShownRows.ts';

/** What a line says of the row that it shows: for the keyboard, the styles and a screen reader. */
type LineState = {
  id: string;
  /** The one row that Tab reaches. */
  isTabStop: boolean;
  /** The keyboard is on it, or it was clicked last. */
  isSelected: boolean;
  /** It no longer belongs, but the order is held. */
  hasLeft: boolean;
  isOpen: boolean;
  /** What the button that opens the row is called. */
  expanderLabel: string;
};

type Written = { state: LineState; button: HTMLElement | null };

const NEVER: Partial<LineState> = {};

function mark(element: Element, name: string, isOn: boolean): void {
  if (isOn) element.setAttribute(name, 'true');
  else element.removeAttribute(name);
}

function writeLine(line: HTMLElement, state: LineState, before: Partial<LineState>): void {
  if (state.id !== before.id) line.setAttribute('data-id', state.id);
  if (state.isTabStop !== before.isTabStop) line.tabIndex = state.isTabStop ? 0 : -1;
  if (state.isSelected !== (before.isSelected ?? false)) mark(line, 'aria-selected', state.isSelected);
  if (state.hasLeft !== (before.hasLeft ?? false)) mark(line, 'data-left', state.hasLeft);
  if (state.isOpen !== (before.isOpen ?? false)) mark(line, 'data-open', state.isOpen);
}

function writeButton(button: HTMLElement, state: LineState, before: Partial<LineState>): void {
  if (state.isTabStop !== before.isTabStop) button.tabIndex = state.isTabStop ? 0 : -1;
  if (state.isOpen !== before.isOpen) button.setAttribute('aria-expanded', String(state.isOpen));
  if (state.expanderLabel !== before.expanderLabel) button.setAttribute('aria-label', state.expanderLabel);
}

/**
 * Writes what lines say of their rows past React, which names none of these attributes: a re-sort gives nearly every
 * line another row, and rendering them for it took longer than all that is written.
 */
function createLineStates() {
  const written = new WeakMap<Element, Written>();
  return {
    /** @param button the line's own that opens its row; null when rows don't open */
    draw(line: HTMLElement, button: HTMLElement | null, state: LineState): void {
      const before = written.get(line);
      writeLine(line, state, before?.state ?? NEVER);
      if (button) writeButton(button, state, before?.button === button ? before.state : NEVER);
      written.set(line, { state, button });
    },
  };
}

/** What lines show besides their rows. */
type Shown<Row extends object> = {
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
export function createLineWriter<Row extends object>() {
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
