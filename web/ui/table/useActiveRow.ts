import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isTyping } from '../isTyping.ts';
import { idOfRow } from './rowFocus.ts';
import type { RowRequest } from './tableModel.ts';
import { entryOf, leadsIntoTable, moveOf } from './rowKeys.ts';

/** Activates a requested row once it exists, and requests the focus. @returns the fulfilled request */
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

function useRendered(ids: readonly string[], index: number, entry: string | null) {
  const latest = useRef({ ids, index, entry });
  useLayoutEffect(() => {
    latest.current = { ids, index, entry };
  });
  return latest;
}

/** Moves by `by` rows, at most to an end. */
const idOnFrom = (ids: readonly string[], from: number, by: number): string | null =>
  ids[Math.min(ids.length - 1, Math.max(0, from + by))] ?? null;

function leave(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement) focused.blur();
}

/**
 * The row that the keyboard is on. Tab reaches one row, and keys move from there.
 * @param requested a row to activate once it exists
 * @param entry one of `ids`, which keys go to while no row is active; null for the first
 */
export function useActiveRow(
  ids: readonly string[],
  requested: RowRequest | null,
  entry: string | null = null,
) {
  const [activeId, setActive] = useState<string | null>(null);
  const index = activeId === null ? -1 : ids.indexOf(activeId);
  const pendingFocus = useRef<string | null>(null);
  const latest = useRendered(ids, index, entry);
  const granted = useRequestedRow(ids, requested, setActive, pendingFocus);
  const move = useCallback(
    (by: number) => {
      const { ids: now, index: from, entry: first } = latest.current;
      if (now.length === 0) return;
      pendingFocus.current = from < 0 ? (first ?? now[0] ?? null) : idOnFrom(now, from, by);
      setActive(pendingFocus.current);
    },
    [latest],
  );
  const follow = useCallback(
    (now: readonly string[]) => {
      latest.current = { ids: now, index: -1, entry: null };
    },
    [latest],
  );
  const onFocus = useCallback((event: FocusEvent) => {
    const id = idOfRow(event.target);
    if (id !== null) setActive(id);
  }, []);
  return {
    /** Sets the order in which keys move while no row is active. */
    follow,
    id: index < 0 ? null : activeId,
    /** The row that had the focus, even if it is gone. */
    focusedId: activeId,
    move,
    leave,
    onFocus,
    granted,
    pendingFocus,
  };
}

/** Elements with their own keys, in which letters do not move a table elsewhere on the page. */
const HAS_KEYS = '[role=grid], [role=menu], [role=listbox]';

/** A link or button keeps the focus after a click, so j and k move from there too. */
const movesByLetter = ({ target, key }: KeyboardEvent): boolean =>
  (key === 'j' || key === 'k') &&
  target instanceof Element &&
  !isTyping(target) &&
  target.closest(HAS_KEYS) === null;

function moveFromPage(event: KeyboardEvent): number | undefined {
  if (event.target === document.body || movesByLetter(event)) return moveOf(event);
  return leadsIntoTable(event.target) ? entryOf(event) : undefined;
}

/**
 * Lets j, k and the arrows enter a table while nothing has the focus, and Enter and the down arrow from an input with
 * `LEADS_INTO_TABLE`.
 * @param onUse called because such a key counts as pressed in the rows
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
