import type { DragEndEvent } from '@dnd-kit/core';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ColumnEntry } from '../../../rules/columnEntry.ts';

type ChipMovesInput = {
  /** The element that holds the chips. */
  list: RefObject<HTMLElement | null>;
  columns: readonly ColumnEntry[];
  canMove: boolean;
  /** Puts the first column in the place of the second. */
  onMove(id: string, overId: string): void;
};

/** Moves columns by dragging and by the keys of their handles; `statusText` says for a screen reader where one went. */
export function useChipMoves({ list, columns, canMove, onMove }: ChipMovesInput) {
  const [statusText, setStatusText] = useState('');
  const movedByKey = useRef<string | null>(null);
  const ids = columns.map(({ id }) => id);

  const move = (id: string, overId: string) => {
    const label = columns.find((entry) => entry.id === id)?.label ?? '';
    setStatusText(`${label}: position ${ids.indexOf(overId) + 1} of ${ids.length}`);
    onMove(id, overId);
  };
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) move(String(active.id), String(over.id));
  };
  const onHandleKey = (event: KeyboardEvent, id: string) => {
    const from = ids.indexOf(id);
    const to = targetIndex(event.key, from, ids.length - 1);
    if (to === null) return;
    event.preventDefault();
    const overId = ids[to];
    if (!canMove || to === from || overId === undefined) return;
    movedByKey.current = id;
    move(id, overId);
  };
  // An element loses the focus when it is moved in the document.
  useEffect(() => {
    const id = movedByKey.current;
    movedByKey.current = null;
    if (id === null) return;
    const handles = list.current?.querySelectorAll<HTMLElement>('[data-handle]') ?? [];
    [...handles].find((handle) => handle.dataset.handle === id)?.focus();
  }, [list, columns]);

  return { statusText, onDragEnd, onHandleKey };
}

/** Where a key moves a column that stands at `from`; null for every other key. */
function targetIndex(key: string, from: number, last: number): number | null {
  const targets: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowUp: from - 1,
    ArrowRight: from + 1,
    ArrowDown: from + 1,
    Home: 0,
    End: last,
  };
  const to = targets[key];
  return to === undefined ? null : Math.min(last, Math.max(0, to));
}
