import { type KeyboardEvent, useCallback } from 'react';
import { isTyping } from '../isTyping.ts';
import type { RowMenuRequest } from './tableModel.ts';

type RowKeyActions = {
  move(by: number): void;
  toggle(): void;
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

export const moveOf = (event: Key): number | undefined =>
  event.ctrlKey || event.metaKey || event.altKey ? undefined : MOVES[event.key];

const isMenuKey = ({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Attribute of an input from which Enter and the down arrow move to the first row of the page's main table. */
export const LEADS_INTO_TABLE = { 'data-leads-into-table': '' };

export const leadsIntoTable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.leadsIntoTable !== undefined;

export const entryOf = ({ key, ctrlKey, metaKey, altKey }: Key): number | undefined =>
  (key === 'Enter' || key === 'ArrowDown') && !(ctrlKey || metaKey || altKey) ? -TO_END : undefined;

/**
 * Arrows, j, k, Page Up and Down, Home and End move; Enter opens or closes; Escape closes, then leaves the table.
 * @returns true if the key was used
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
  activeId: string | null;
  openIds: ReadonlySet<string>;
  move(by: number): void;
  toggle(id: string): void;
  leave(): void;
  /** Opens a row's menu. */
  onMenu?: ((menu: RowMenuRequest) => void) | undefined;
};

const isRow = (target: EventTarget): boolean =>
  target instanceof Element && target.getAttribute('role') === 'row';

function closePanel(panel: Element, body: Element, toggle: (id: string) => void): void {
  const id = panel.getAttribute('data-detail') ?? '';
  body.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`)?.focus();
  toggle(id);
}

export function useRowKeys({ activeId, openIds, move, toggle, leave, onMenu }: RowKeysInput) {
  return useCallback(
    (event: KeyboardEvent) => {
      const { target, currentTarget: body } = event;
      // React bubbles events of a dialog that was opened in a panel, although it is elsewhere in the document.
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
      // Enter on a link or button inside a row belongs to that element.
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
