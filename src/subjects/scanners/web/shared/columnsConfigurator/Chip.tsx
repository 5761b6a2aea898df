import { useSortable } from '@dnd-kit/sortable';
import HashIcon from 'lucide-react/icons/hash';
import GripIcon from 'lucide-react/icons/grip-vertical';
import LockIcon from 'lucide-react/icons/lock';
import XIcon from 'lucide-react/icons/x';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import './Chip.css';
import type { ColumnEntry } from '#subjects/scanners/rules/columnEntry.ts';
import { isTextColumn } from '#subjects/scanners/rules/columns.ts';
import { hasLooks } from '#subjects/scanners/rules/columnLooks.ts';

type ChipProps = {
  entry: ColumnEntry;
  index: number;
  canMove: boolean;
  isRemovable: boolean;
  /** The element that says why this column was refused; undefined when it was not. */
  errorId: string | undefined;
  onToggle(id: string): void;
  onRemove(id: string): void;
  /** Asks for the dialog with its decimals. */
  onFormat(id: string): void;
  /** A key was pressed on the handle. */
  onHandleKey(event: KeyboardEvent, id: string): void;
};

/** One column: a handle to move it, its name, which shows or hides it, its format, and a lock or a cross. */
export function Chip(props: ChipProps): ReactNode {
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
      className="chip-handle"
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
      <span className="chip-name">
        {label}
        <LockIcon size={12} role="img" aria-label="always shown" />
      </span>
    );
  }
  return (
    <button type="button" className="chip-name" aria-pressed={enabled} onClick={() => onToggle(id)}>
      {label}
    </button>
  );
}

function Format({ entry, onFormat }: ChipProps): ReactNode {
  return (
    <button
      type="button"
      className="chip-cross"
      aria-label={`Format ${entry.label}`}
      title="Decimals and short numbers"
      data-set={hasLooks(entry) || undefined}
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
      className="chip-cross"
      aria-label={`Remove ${entry.label}`}
      title="Remove"
      onClick={() => onRemove(entry.id)}
    >
      <XIcon size={13} aria-hidden />
    </button>
  );
}
