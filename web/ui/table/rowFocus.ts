import { type RefObject, useLayoutEffect } from 'react';

export const idOfRow = (element: Element | null): string | null =>
  element?.closest('[data-id]')?.getAttribute('data-id') ?? null;

export const idOfRowOrPanel = (element: Element): string | null =>
  idOfRow(element) ?? element.closest('[data-detail]')?.getAttribute('data-detail') ?? null;

export const rowOf = (container: HTMLElement | null, id: string): HTMLElement | null =>
  container?.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`) ?? null;

/**
 * Scrolls to a row and focuses it once it is rendered.
 * @param pending the row's id; null for none
 * @param activeId the row that the keyboard is on; null if it is gone
 */
export function usePendingFocus(
  pending: RefObject<string | null>,
  activeId: string | null,
  scroller: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const id = pending.current;
    if (id === null) return;
    const row = id === activeId ? rowOf(scroller.current, id) : null;
    // A new table renders its rows only when it knows its height.
    if (row !== null || id !== activeId) pending.current = null;
    row?.scrollIntoView({ block: 'nearest' });
    row?.focus({ preventScroll: true });
  });
}

/** The corresponding element in another row, such as its first link or second button. */
function likeIn(row: HTMLElement, element: HTMLElement): HTMLElement | undefined {
  const alike = (within: Element | null) => [
    ...(within?.querySelectorAll<HTMLElement>(element.localName) ?? []),
  ];
  const there = alike(row);
  return there[alike(element.closest('[data-id]')).indexOf(element)] ?? there[0];
}

/**
 * Keeps the focus with its row. Lines stay and change their rows, so after a re-sort the focus moves to the same
 * element in the row's new line. If the row is gone, the focus leaves the table.
 */
export function useFocusWithRow(body: RefObject<HTMLElement | null>, focusedId: string | null): void {
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (focusedId === null || !(focused instanceof HTMLElement) || !body.current?.contains(focused)) return;
    const shownId = idOfRow(focused);
    if (shownId === null || shownId === focusedId) return;
    const row = rowOf(body.current, focusedId);
    const target = focused.matches('tr') ? row : row && likeIn(row, focused);
    if (target) target.focus({ preventScroll: true });
    else focused.blur();
  });
}
