import {
  type Announcements,
  closestCenter,
  type CollisionDetection,
  DndContext,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext } from '@dnd-kit/sortable';
import { type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { isRemovable, placeText } from '../../../rules/columnEditor.ts';
import type { ColumnEntry } from '../../../rules/columnEntry.ts';
import type { ScannerKey } from '../../../rules/scanners.ts';
import { focusNeighbour } from '../../../../../../web/ui/focusNeighbour.ts';
import { Chip } from './Chip.tsx';
import './ChipList.css';
import { useChipMoves } from './useChipMoves.ts';

type ChipListProps = {
  tableKey: ScannerKey;
  columns: readonly ColumnEntry[];
  canMove: boolean;
  /** The column that was refused, and the element that says why; null when none was. */
  refused: { id: string | null; errorId: string } | null;
  onToggle(id: string): void;
  onRemove(id: string): void;
  onFormat(id: string): void;
  /** Puts the first column in the place of the second. */
  onMove(id: string, overId: string): void;
};

/** The chip under the pointer; between chips, the nearest one. */
const chipAtPointer: CollisionDetection = (input) => {
  const hit = pointerWithin(input);
  return hit.length > 0 ? hit : closestCenter(input);
};

/** What a screen reader hears of a drag: the columns by their names. Where one went at the end is said below. */
function dragAnnouncements(columns: readonly ColumnEntry[]): Announcements {
  const label = (id: unknown) => columns.find((entry) => entry.id === id)?.label ?? '';
  return {
    onDragStart: ({ active }) => `Moving ${label(active.id)}`,
    onDragOver: ({ active, over }) =>
      over === null || over.id === active.id
        ? `${label(active.id)} stays where it is`
        : placeText(columns, String(active.id), String(over.id)),
    onDragEnd: () => undefined,
    onDragCancel: ({ active }) => `${label(active.id)} stays where it was`,
  };
}

/** The other chips stay where they are while one is dragged: a mark shows where it will go. */
const stayInPlace = () => null;

/** A table's columns as chips: click to show or hide, drag or use the arrow keys to move, cross to remove. */
export function ChipList(props: ChipListProps): ReactNode {
  const { tableKey, columns, canMove, refused, onToggle, onRemove, onMove } = props;
  const list = useRef<HTMLUListElement>(null);
  const { onDragEnd, onHandleKey, statusText } = useChipMoves({ list, columns, canMove, onMove });
  const remove = (id: string) => {
    const crosses = () => list.current?.querySelectorAll<HTMLElement>('.chip-cross') ?? [];
    const index = [...crosses()].findIndex((cross) => cross.closest('li')?.dataset.column === id);
    flushSync(() => onRemove(id));
    const handles = [...(list.current?.querySelectorAll<HTMLElement>('[data-handle]') ?? [])];
    focusNeighbour(crosses(), index, handles.at(-1));
  };
  const sensors = useSensors(
    // Neither a click with a small movement nor a scrolling finger may start a drag.
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
  );
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={chipAtPointer}
      accessibility={{ announcements: dragAnnouncements(columns) }}
      onDragEnd={onDragEnd}
    >
      <SortableContext items={columns.map(({ id }) => id)} strategy={stayInPlace} disabled={!canMove}>
        <ul className="chip-list" ref={list}>
          {columns.map((entry, index) => (
            <Chip
              key={entry.id}
              entry={entry}
              index={index}
              canMove={canMove}
              errorId={refused?.id === entry.id ? refused.errorId : undefined}
              isRemovable={isRemovable(tableKey, entry)}
              onToggle={onToggle}
              onRemove={remove}
              onFormat={props.onFormat}
              onHandleKey={onHandleKey}
            />
          ))}
        </ul>
      </SortableContext>
      <p className="visually-hidden" role="status">
        {statusText}
      </p>
    </DndContext>
  );
}
