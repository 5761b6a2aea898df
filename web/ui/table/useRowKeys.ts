import { type KeyboardEvent, useCallback } from 'react';
import { handleRowKey } from './rowKeys.ts';

export type RowKeysInput = {
  /** The row that the keyboard is on. */
  activeId: string | null;
  openIds: ReadonlySet<string>;
  move(by: number): void;
  toggle(id: string): void;
  leave(): void;
};

const isRow = (target: EventTarget): boolean =>
  target instanceof Element && target.getAttribute('role') === 'row';

/** What the table's body does with a key. */
export function useRowKeys({ activeId, openIds, move, toggle, leave }: RowKeysInput) {
  return useCallback(
    (event: KeyboardEvent) => {
      // Enter on a link or button inside a row is theirs.
      if (activeId === null || (event.key === 'Enter' && !isRow(event.target))) return;
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
    [activeId, move, leave, toggle, openIds],
  );
}
