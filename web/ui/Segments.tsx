import type { ReactNode } from 'react';

type SegmentsProps<T> = {
  label: string;
  /** `name` is for screen readers, if the label is too short for them. */
  segments: readonly { id: T; label: string; name?: string; title?: string }[];
  chosen: T;
  onChoose(id: T): void;
  isQuiet?: boolean;
  /** Whether the group is at the end of its row. */
  isPushed?: boolean;
};

/** Buttons next to each other, one of which is chosen. */
export function Segments<T>(props: SegmentsProps<T>): ReactNode {
  const { label, segments, chosen, onChoose, isQuiet = false, isPushed = false } = props;
  return (
    <div className={isPushed ? 'segments push' : 'segments'} role="group" aria-label={label}>
      {segments.map(({ id, label: text, name, title }) => (
        <button
          key={text}
          type="button"
          className={isQuiet ? 'tool is-quiet' : 'tool'}
          aria-pressed={id === chosen}
          aria-label={name}
          title={title}
          onClick={() => onChoose(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
