import { type KeyboardEvent, useCallback } from 'react';
import { isTyping } from '../isTyping.ts';
import type { RowMenuRequest } from './types.ts';

type RowKeyActions = {
  /** Moves the active row; far beyond an end stops there. */
  move(by: number): void;
  toggle(): void;
  /** Closes what is open; false when nothing was. */
  close(): boolean;
  leave(): void;
};

const PAGE = 20;
const TO_END = 1_000_000;

const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: -TO_END,
  End: TO_END,
};

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** How far a key moves the active row; undefined when it does not. */
export const moveOf = (event: Key): number | undefined =>
  event.ctrlKey || event.metaKey || event.altKey ? undefined : MOVES[event.key];

/** Whether a key asks for the menu of what has the focus. */
const isMenuKey = ({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** The attribute of a box from which Enter and the down arrow go on to the first row of the page's main table. */
export const LEADS_INTO_TABLE = { 'data-leads-into-table': '' };

/** Whether an element has `LEADS_INTO_TABLE`. */
export const leadsIntoTable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.leadsIntoTable !== undefined;

/** How far a key in such a box moves the active row: to the first. Undefined for every other key. */
export const entryOf = ({ key, ctrlKey, metaKey, altKey }: Key): number | undefined =>
  (key === 'Enter' || key === 'ArrowDown') && !(ctrlKey || metaKey || altKey) ? -TO_END : undefined;

/**
 * Does what a key means on a row: arrows, j, k, Page Up and Down, Home and End move; Enter opens or closes; Escape
 * closes, then leaves the table.
 * @returns true when the key was used
 */
function handleRowKey(event: Key, actions: RowKeyActions): boolean {
  const by = moveOf(event);
  if (by !== undefined) {
    actions.move(by);
    return true;
  }
  if (event.key === 'Enter') {
    actions.toggle();
    return true;
  }
  if (event.key === 'Escape') {
    if (!actions.close()) actions.leave();
    return true;
  }
  return false;
}

type RowKeysInput = {
  /** The row that the keyboard is on. */
  activeId: string | null;
  openIds: ReadonlySet<string>;
  move(by: number): void;
  toggle(id: string): void;
  leave(): void;
  /** Shows what may be done with a row. */
  onMenu?: ((menu: RowMenuRequest) => void) | undefined;
};

const isRow = (target: EventTarget): boolean =>
  target instanceof Element && target.getAttribute('role') === 'row';

/** Closes the panel that Escape was pressed in, and gives the focus back to its row. */
function closePanel(panel: Element, body: Element, toggle: (id: string) => void): void {
  const id = panel.getAttribute('data-detail') ?? '';
  body.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`)?.focus();
  toggle(id);
}

/** What the table's body does with a key. */
export function useRowKeys({ activeId, openIds, move, toggle, leave, onMenu }: RowKeysInput) {
  return useCallback(
    (event: KeyboardEvent) => {
      const { target, currentTarget: body } = event;
      // A dialog that was opened in a panel is its child to React, but stands elsewhere on the page.
      if (event.defaultPrevented || !(target instanceof Element) || !body.contains(target)) return;
      const panel = target.closest('[data-detail]');
      if (panel !== null && event.key === 'Escape') {
        event.preventDefault();
        return closePanel(panel, body, toggle);
      }
      if (isTyping(target)) return;
      const line = target.closest<HTMLElement>('[data-id]');
      if (onMenu && line && isMenuKey(event)) {
        event.preventDefault();
        return onMenu({ id: line.dataset.id ?? '', line, at: null });
      }
      // Enter on a link or button inside a row is theirs.
      if (activeId === null || (event.key === 'Enter' && !isRow(target))) return;
      const used = handleRowKey(event, {
        move,
        toggle: () => toggle(activeId),
        close: () => {
          if (!openIds.has(activeId)) return false;
          toggle(activeId);
          return true;
        },
        leave,
      });
      if (used) event.preventDefault();
    },
    [activeId, move, leave, toggle, openIds, onMenu],
  );
}
