import { type RefObject, useLayoutEffect } from 'react';

/** The id of the row that an element belongs to; null outside of rows. */
export const idOfRow = (element: Element | null): string | null =>
  element?.closest('[data-id]')?.getAttribute('data-id') ?? null;

/** The same, also from within what is open under a row. */
export const idOfRowOrPanel = (element: Element): string | null =>
  idOfRow(element) ?? element.closest('[data-detail]')?.getAttribute('data-detail') ?? null;

/** The row with an id; null when it is not drawn. */
export const rowOf = (container: HTMLElement | null, id: string): HTMLElement | null =>
  container?.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`) ?? null;

/**
 * Brings the row that the keyboard was moved to into sight and gives it the focus, once it is drawn.
 * @param pending its id; null when the focus is where it belongs
 * @param activeId the row that the keyboard is on; null when that is not among the rows any more
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
    // A table that has just been mounted draws its rows only once it knows its height.
    if (row !== null || id !== activeId) pending.current = null;
    row?.scrollIntoView({ block: 'nearest' });
    row?.focus({ preventScroll: true });
  });
}

/** The element of a row that is what another one is in its own row: its first link, its second button. */
function likeIn(row: HTMLElement, element: HTMLElement): HTMLElement | undefined {
  const alike = (within: Element | null) => [
    ...(within?.querySelectorAll<HTMLElement>(element.localName) ?? []),
  ];
  const there = alike(row);
  return there[alike(element.closest('[data-id]')).indexOf(element)] ?? there[0];
}

/**
 * Keeps the focus with its row: lines stay where they are and change their rows, so after a re-sort the focused line
 * shows another one. Goes to the like element of the row's new line; leaves the table when the row is gone.
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
