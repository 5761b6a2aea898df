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
  type DragEndEvent,
} from '@dnd-kit/core';
import { SortableContext, useSortable } from '@dnd-kit/sortable';
import {
  type ReactNode,
  useRef,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useState,
  type CSSProperties,
} from 'react';
import { flushSync } from 'react-dom';
import { isRemovable, placeText } from '#subjects/scanners/rules/columnEditor.ts';
import type { ColumnEntry } from '#market/scanners/rules/columnList.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import HashIcon from 'lucide-react/icons/hash';
import GripIcon from 'lucide-react/icons/grip-vertical';
import LockIcon from 'lucide-react/icons/lock';
import XIcon from 'lucide-react/icons/x';
import { isTextColumn } from '#market/scanners/rules/columns.ts';
import { hasFormat } from '#market/scanners/rules/columnFormat.ts';

type ChipProps = {
  entry: ColumnEntry;
  index: number;
  canMove: boolean;
  isRemovable: boolean;
  /** Id of the error message for this column. */
  errorId: string | undefined;
  onToggle(id: string): void;
  onRemove(id: string): void;
  onFormat(id: string): void;
  onHandleKey(event: KeyboardEvent, id: string): void;
};

function Chip(props: ChipProps): ReactNode {
  const { entry, index, canMove, isRemovable, errorId } = props;
  const { setNodeRef, listeners, transform, isDragging, isOver, activeIndex } = useSortable({ id: entry.id });
  const style: CSSProperties = transform
    ? { transform: `translate(${Math.round(transform.x)}px, ${Math.round(transform.y)}px)` }
    : {};
  const mark = isOver && !isDragging ? (activeIndex < index ? 'after' : 'before') : undefined;

  return (
    <li
      ref={setNodeRef}
      className="chip"
      style={style}
      data-column={entry.id}
      data-on={entry.enabled || undefined}
      data-dragging={isDragging || undefined}
      data-mark={mark}
      data-wrong={errorId !== undefined || undefined}
      aria-describedby={errorId}
      {...(canMove ? listeners : {})}
    >
      <Handle {...props} />
      <Name {...props} />
      {!isTextColumn(entry.id) && <Format {...props} />}
      {isRemovable && <Cross {...props} />}
    </li>
  );
}

function Handle({ entry, canMove, onHandleKey }: ChipProps): ReactNode {
  return (
    <button
      type="button"
      className="chip-handle center"
      data-handle={entry.id}
      aria-label={`Move ${entry.label}`}
      aria-roledescription="column handle"
      title="Drag, or use the arrow keys"
      disabled={!canMove}
      onKeyDown={(event) => onHandleKey(event, entry.id)}
    >
      <GripIcon size={13} aria-hidden />
    </button>
  );
}

function Name({ entry, onToggle }: ChipProps): ReactNode {
  const { id, label, enabled, mandatory } = entry;
  if (mandatory) {
    return (
      <span className="chip-name ellipsis">
        {label}
        <LockIcon size={12} role="img" aria-label="always shown" />
      </span>
    );
  }
  return (
    <button type="button" className="chip-name ellipsis" aria-pressed={enabled} onClick={() => onToggle(id)}>
      {label}
    </button>
  );
}

function Format({ entry, onFormat }: ChipProps): ReactNode {
  return (
    <button
      type="button"
      className="chip-cross center"
      aria-label={`Format ${entry.label}`}
      title="Decimals and short numbers"
      data-set={hasFormat(entry) || undefined}
      onClick={() => onFormat(entry.id)}
    >
      <HashIcon size={12} aria-hidden />
    </button>
  );
}

function Cross({ entry, onRemove }: ChipProps): ReactNode {
  return (
    <button
      type="button"
      className="chip-cross center"
      aria-label={`Remove ${entry.label}`}
      title="Remove"
      onClick={() => onRemove(entry.id)}
    >
      <XIcon size={13} aria-hidden />
    </button>
  );
}

type ChipMovesInput = {
  list: RefObject<HTMLElement | null>;
  columns: readonly ColumnEntry[];
  canMove: boolean;
  /** Moves the first column to the place of the second. */
  onMove(id: string, overId: string): void;
};

/** Moves columns by dragging or keys. `statusText` announces the new position. */
function useChipMoves({ list, columns, canMove, onMove }: ChipMovesInput) {
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
  // Restores the focus, which an element loses when it moves in the document.
  useEffect(() => {
    const id = movedByKey.current;
    movedByKey.current = null;
    if (id === null) return;
    const handles = list.current?.querySelectorAll<HTMLElement>('[data-handle]') ?? [];
    [...handles].find((handle) => handle.dataset.handle === id)?.focus();
  }, [list, columns]);

  return { statusText, onDragEnd, onHandleKey };
}

/** The target position of a key for the column at `from`; null for other keys. */
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

type ChipListProps = {
  tableKey: ScannerKey;
  columns: readonly ColumnEntry[];
  canMove: boolean;
  refused: { id: string | null; errorId: string } | null;
  onToggle(id: string): void;
  onRemove(id: string): void;
  onFormat(id: string): void;
  /** Moves the first column to the place of the second. */
  onMove(id: string, overId: string): void;
};

/** Finds the chip under the pointer, otherwise the nearest one. */
const chipAtPointer: CollisionDetection = (input) => {
  const hit = pointerWithin(input);
  return hit.length > 0 ? hit : closestCenter(input);
};

/** Announcements during a drag, with the names of columns; the result is announced separately. */
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

/** Chips do not move during a drag, because a mark shows the target. */
const stayInPlace = () => null;

/** Removes a chip and moves the focus to the neighbouring cross, or the last handle. */
function removeChip(list: RefObject<HTMLElement | null>, id: string, remove: () => void): void {
  const crosses = () => list.current?.querySelectorAll<HTMLElement>('.chip-cross') ?? [];
  const index = [...crosses()].findIndex((cross) => cross.closest('li')?.dataset.column === id);
  flushSync(remove);
  const handles = [...(list.current?.querySelectorAll<HTMLElement>('[data-handle]') ?? [])];
  focusNeighbour(crosses(), index, handles.at(-1));
}

export function ChipList(props: ChipListProps): ReactNode {
  const { tableKey, columns, canMove, refused, onToggle, onRemove, onMove } = props;
  const list = useRef<HTMLUListElement>(null);
  const { onDragEnd, onHandleKey, statusText } = useChipMoves({ list, columns, canMove, onMove });
  const sensors = useSensors(
    // Thresholds, so that small mouse movements and scrolling do not start a drag.
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
        <ul className="wrap" ref={list}>
          {columns.map((entry, index) => (
            <Chip
              key={entry.id}
              entry={entry}
              index={index}
              canMove={canMove}
              errorId={refused?.id === entry.id ? refused.errorId : undefined}
              isRemovable={isRemovable(tableKey, entry)}
              onToggle={onToggle}
              onRemove={(id) => removeChip(list, id, () => onRemove(id))}
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
