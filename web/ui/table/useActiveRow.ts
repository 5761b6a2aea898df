import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { idOfRow } from './rowFocus.ts';
import type { RowRequest } from './types.ts';
import { entryOf, leadsIntoTable, moveOf } from './rowKeys.ts';

/** Makes a requested row active once it is among the rows, and has it wait for the focus. @returns the request, from then on */
function useRequestedRow(
  ids: readonly string[],
  requested: RowRequest | null,
  setActive: (id: string) => void,
  pendingFocus: RefObject<string | null>,
): RowRequest | null {
  const [granted, grant] = useState<RowRequest | null>(null);
  if (requested !== granted && (requested === null || ids.includes(requested.id))) {
    grant(requested);
    if (requested !== null) setActive(requested.id);
  }
  useLayoutEffect(() => {
    if (granted !== null) pendingFocus.current = granted.id;
  }, [granted, pendingFocus]);
  return granted;
}

/** The rows and the active one's place, as they were last rendered. */
function useRendered(ids: readonly string[], index: number) {
  const latest = useRef({ ids, index });
  useLayoutEffect(() => {
    latest.current = { ids, index };
  });
  return latest;
}

/** The row that lies `by` rows on, at most at an end; the first one when none is active. */
const idOnFrom = (ids: readonly string[], from: number, by: number): string | null =>
  ids[from < 0 ? 0 : Math.min(ids.length - 1, Math.max(0, from + by))] ?? null;

function leave(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement) focused.blur();
}

/**
 * The row that the keyboard is on: one at a time can be reached by Tab, the keys move on from there.
 * @param requested a row that gets the keyboard once it is among the rows; null when none was asked for
 */
export function useActiveRow(ids: readonly string[], requested: RowRequest | null) {
  const [activeId, setActive] = useState<string | null>(null);
  const index = activeId === null ? -1 : ids.indexOf(activeId);
  const pendingFocus = useRef<string | null>(null);
  const latest = useRendered(ids, index);
  const granted = useRequestedRow(ids, requested, setActive, pendingFocus);
  const move = useCallback(
    (by: number) => {
      const { ids: now, index: from } = latest.current;
      if (now.length === 0) return;
      pendingFocus.current = idOnFrom(now, from, by);
      setActive(pendingFocus.current);
    },
    [latest],
  );
  const follow = useCallback(
    (now: readonly string[]) => {
      latest.current = { ids: now, index: -1 };
    },
    [latest],
  );
  const onFocus = useCallback((event: FocusEvent) => {
    const id = idOfRow(event.target);
    if (id !== null) setActive(id);
  }, []);
  return {
    /** Takes ids in whose order a key moves on, while no row is active. */
    follow,
    /** Null while the row is not among the rows. */
    id: index < 0 ? null : activeId,
    /** The same, also when the row is gone: what the focus was put on. */
    focusedId: activeId,
    /** Goes this many rows on; far beyond an end stops there. */
    move,
    leave,
    onFocus,
    /** The request whose row was last among the rows. */
    granted,
    /** The row that a key moved to or that was requested, until it is drawn and has the focus. */
    pendingFocus,
  };
}

/** How far a key pressed outside the table moves the active row; undefined when it does not. */
function moveFromPage(event: KeyboardEvent): number | undefined {
  if (event.target === document.body) return moveOf(event);
  return leadsIntoTable(event.target) ? entryOf(event) : undefined;
}

/**
 * Lets j, k and the arrows begin in a table when nothing on the page has the focus, and Enter and the down arrow in a
 * box that leads into it (`LEADS_INTO_TABLE`).
 * @param onUse such a key counts as pressed in the rows
 */
export function usePageKeys(isOn: boolean, move: (by: number) => void, onUse: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const by = event.defaultPrevented || event.isComposing ? undefined : moveFromPage(event);
      if (by === undefined) return;
      event.preventDefault();
      move(by);
      onUse();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn, move, onUse]);
}
