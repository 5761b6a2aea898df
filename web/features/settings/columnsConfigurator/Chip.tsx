import { useSortable } from '@dnd-kit/sortable';
import GripIcon from 'lucide-react/icons/grip-vertical';
import LockIcon from 'lucide-react/icons/lock';
import XIcon from 'lucide-react/icons/x';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import type { ColumnEntry } from '../../../../src/domain/scanners/columnEntry.ts';

type ChipProps = {
  entry: ColumnEntry;
  index: number;
  canMove: boolean;
  isRemovable: boolean;
  onToggle(id: string): void;
  onRemove(id: string): void;
  onKey(event: KeyboardEvent, id: string): void;
};

/** One column: its handle, its name that switches it, and a lock or a cross. */
export function Chip(props: ChipProps): ReactNode {
  const { entry, index, canMove, isRemovable, onToggle, onRemove, onKey } = props;
  const { id, label, enabled, mandatory } = entry;
  const sortable = useSortable({ id });
  const { transform, isDragging, isOver, activeIndex } = sortable;
  const style: CSSProperties = transform
    ? { transform: `translate(${Math.round(transform.x)}px, ${Math.round(transform.y)}px)` }
    : {};
  const mark = isOver && !isDragging ? (activeIndex < index ? 'after' : 'before') : undefined;

  return (
    <li
      ref={sortable.setNodeRef}
      className="chip"
      style={style}
      data-on={enabled || undefined}
      data-dragging={isDragging || undefined}
      data-mark={mark}
      {...(canMove ? sortable.listeners : {})}
    >
      <button
        type="button"
        className="chip-handle"
        data-handle={id}
        aria-label={`Move ${label}`}
        aria-roledescription="column handle"
        title="Drag, or use the arrow keys"
        disabled={!canMove}
        onKeyDown={(event) => onKey(event, id)}
      >
        <GripIcon size={13} aria-hidden />
      </button>
      {mandatory ? (
        <span className="chip-name">
          {label}
          <LockIcon size={12} role="img" aria-label="always shown" />
        </span>
      ) : (
        <button type="button" className="chip-name" aria-pressed={enabled} onClick={() => onToggle(id)}>
          {label}
        </button>
      )}
      {isRemovable && (
        <button
          type="button"
          className="chip-cross"
          aria-label={`Remove ${label}`}
          title="Remove"
          onClick={() => onRemove(id)}
        >
          <XIcon size={13} aria-hidden />
        </button>
      )}
    </li>
  );
}
