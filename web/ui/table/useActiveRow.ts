import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { moveOf } from './rowKeys.ts';

const rowOf = (element: Element | null): string | null =>
  element?.closest('[data-id]')?.getAttribute('data-id') ?? null;

/**
 * The row that the keyboard is on: one at a time can be reached by Tab, the keys move on from there.
 * @param takesKeys whether j, k and the arrows start here when nothing on the page has the focus
 */
export function useActiveRow(ids: readonly string[], takesKeys: boolean) {
  const [activeId, setActive] = useState<string | null>(null);
  const index = activeId === null ? -1 : ids.indexOf(activeId);
  const wanted = useRef<string | null>(null);
  const latest = useRef({ ids, index });
  useLayoutEffect(() => {
    latest.current = { ids, index };
  });

  const move = useCallback((by: number) => {
    const { ids: now, index: from } = latest.current;
    if (now.length === 0) return;
    const to = from < 0 ? 0 : Math.min(now.length - 1, Math.max(0, from + by));
    const id = now[to] ?? null;
    wanted.current = id;
    setActive(id);
  }, []);

  const leave = useCallback(() => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement) focused.blur();
  }, []);

  const follow = useCallback((event: FocusEvent) => {
    const id = rowOf(event.target);
    if (id !== null) setActive(id);
  }, []);

  useEffect(() => {
    if (!takesKeys) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const by = moveOf(event);
      if (by === undefined || event.defaultPrevented || event.target !== document.body) return;
      event.preventDefault();
      move(by);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [takesKeys, move]);

  return {
    id: index < 0 ? null : activeId,
    /** The same, also when the row is gone: what the focus was put on. */
    focusedId: activeId,
    move,
    leave,
    follow,
    /** The row that a key moved to and that waits to be drawn and focused. */
    wanted,
  };
}

/** Brings the row that a key moved to into sight and gives it the focus, once it is drawn. */
export function useSettledFocus(
  wanted: RefObject<string | null>,
  scroller: RefObject<HTMLElement | null>,
  scrollTo: (id: string) => void,
): void {
  useLayoutEffect(() => {
    const id = wanted.current;
    if (id === null) return;
    wanted.current = null;
    scrollTo(id);
    const row = scroller.current?.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`);
    row?.focus({ preventScroll: true });
  });
}

/**
 * Keeps the focus with its row: lines stay where they are and change their rows, so after a re-sort the focused line
 * shows another one. Goes to the like element of the row's new line; leaves the table when the row is gone.
 */
export function useFollowingFocus(body: RefObject<HTMLElement | null>, focusedId: string | null): void {
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (focusedId === null || !(focused instanceof HTMLElement) || !body.current?.contains(focused)) return;
    const at = rowOf(focused);
    if (at === null || at === focusedId) return;
    const line = body.current.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(focusedId)}"]`);
    const isLine = focused.matches('tr');
    const target = isLine ? line : line?.querySelector<HTMLElement>(focused.localName);
    if (target) target.focus({ preventScroll: true });
    else focused.blur();
  });
}
