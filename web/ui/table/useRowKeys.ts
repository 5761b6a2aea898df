import { type KeyboardEvent, useCallback } from 'react';
import { isTyping } from '../isTyping.ts';
import { handleRowKey, isMenuKey } from './rowKeys.ts';
import type { RowMenuRequest } from './types.ts';

export type RowKeysInput = {
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
