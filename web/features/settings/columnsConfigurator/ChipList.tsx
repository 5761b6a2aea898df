import {
  closestCenter,
  type CollisionDetection,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext } from '@dnd-kit/sortable';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isRemovable } from '../../../../src/domain/scanners/columnEditor.ts';
import type { ColumnEntry } from '../../../../src/domain/scanners/columnEntry.ts';
import type { ScannerKey } from '../../../../src/domain/scanners/scanners.ts';
import { Chip } from './Chip.tsx';

type ChipListProps = {
  tableKey: ScannerKey;
  columns: readonly ColumnEntry[];
  canMove: boolean;
  onToggle(id: string): void;
  onRemove(id: string): void;
  /** Put the first in the place of the second. */
  onMove(id: string, overId: string): void;
};

/** What the pointer is on; between chips, the nearest one. */
const under: CollisionDetection = (input) => {
  const hit = pointerWithin(input);
  return hit.length > 0 ? hit : closestCenter(input);
};

/** Chips stay where they are while one is dragged: a mark shows where it will go. */
const still = () => null;

function place(key: string, from: number, last: number): number | null {
  const places: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowUp: from - 1,
    ArrowRight: from + 1,
    ArrowDown: from + 1,
    Home: 0,
    End: last,
  };
  const to = places[key];
  return to === undefined ? null : Math.min(last, Math.max(0, to));
}

/** A table's columns as chips: click to switch, drag or use the arrow keys to move, cross to remove. */
export function ChipList(props: ChipListProps): ReactNode {
  const { tableKey, columns, canMove, onToggle, onRemove, onMove } = props;
  const [said, setSaid] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const follow = useRef<string | null>(null);
  const sensors = useSensors(
    // A click that trembles must stay a click; a finger that scrolls must scroll.
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
  );
  const ids = columns.map(({ id }) => id);

  const moved = (id: string, overId: string) => {
    const label = columns.find((entry) => entry.id === id)?.label ?? '';
    setSaid(`${label}: position ${ids.indexOf(overId) + 1} of ${ids.length}`);
    onMove(id, overId);
  };
  const drop = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) moved(String(active.id), String(over.id));
  };
  const press = (event: KeyboardEvent, id: string) => {
    const from = ids.indexOf(id);
    const to = place(event.key, from, ids.length - 1);
    if (to === null) return;
    event.preventDefault();
    const overId = ids[to];
    if (!canMove || to === from || overId === undefined) return;
    follow.current = id;
    moved(id, overId);
  };
  // An element that moves in the document loses the focus.
  useEffect(() => {
    const id = follow.current;
    follow.current = null;
    if (id === null) return;
    const handles = list.current?.querySelectorAll<HTMLElement>('[data-handle]') ?? [];
    [...handles].find((handle) => handle.dataset.handle === id)?.focus();
  }, [columns]);

  return (
    <DndContext sensors={sensors} collisionDetection={under} onDragEnd={drop}>
      <SortableContext items={ids} strategy={still} disabled={!canMove}>
        <ul className="chips" ref={list}>
          {columns.map((entry, index) => (
            <Chip
              key={entry.id}
              entry={entry}
              index={index}
              canMove={canMove}
              isRemovable={isRemovable(tableKey, entry)}
              onToggle={onToggle}
              onRemove={onRemove}
              onKey={press}
            />
          ))}
        </ul>
      </SortableContext>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </DndContext>
  );
}
