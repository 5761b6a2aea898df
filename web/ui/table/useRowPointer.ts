import { type MouseEvent, useMemo, useRef } from 'react';
import { idOfRow } from './rowFocus.ts';
import type { RowMenuRequest } from './types.ts';

type RowPointerInput = {
  /** Which click on a row opens or closes it; every first one selects it. */
  opensBy: 'none' | 'click' | 'secondClick';
  /** The row that is selected. */
  activeId: string | null;
  toggle(id: string): void;
  onMenu: ((menu: RowMenuRequest) => void) | undefined;
};

/** Links, buttons and boxes keep their clicks. */
const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, label, input') !== null;

/** A text is marked: a click that ends the marking is none on the row, and the menu of the text is the browser's. */
const hasMarkedText = (): boolean => window.getSelection()?.isCollapsed === false;

/** What the rows do with a mouse or a finger. The click that selects needs nothing: the row takes the focus by itself. */
export function useRowPointer(input: RowPointerInput) {
  const { opensBy, activeId, toggle, onMenu } = input;
  /** The row that was selected before a button went down on it, which moves the focus. */
  const selectedBefore = useRef<string | null>(null);
  /** Some browsers mark the word under a right click, or a long press, by themselves. */
  const wasMarked = useRef(false);
  return useMemo(() => {
    const onPointerDownCapture = (): void => {
      wasMarked.current = hasMarkedText();
    };
    const onMouseDown = (event: MouseEvent): void => {
      selectedBefore.current = activeId;
      // The second press of a double click would mark a word.
      if (opensBy === 'secondClick' && event.detail > 1 && !isControl(event.target)) event.preventDefault();
    };
    const onClick = (event: MouseEvent): void => {
      const id = event.target instanceof Element ? idOfRow(event.target) : null;
      if (id === null || opensBy === 'none' || isControl(event.target) || hasMarkedText()) return;
      const isSecond = selectedBefore.current === id && event.detail < 3;
      if (opensBy === 'click' || isSecond) toggle(id);
    };
    const onContextMenu = (event: MouseEvent): void => {
      const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-id]') : null;
      if (!onMenu || line === null || (wasMarked.current && hasMarkedText())) return;
      event.preventDefault();
      window.getSelection()?.removeAllRanges();
      if (!line.contains(document.activeElement)) line.focus({ preventScroll: true });
      onMenu({ id: line.dataset.id ?? '', line, at: { x: event.clientX, y: event.clientY } });
    };
    return { onPointerDownCapture, onMouseDown, onClick, onContextMenu };
  }, [opensBy, activeId, toggle, onMenu]);
}
