import type { CSSProperties, ReactNode } from 'react';

type CallsPanelProps = {
  title: string;
  /** Beside the title. */
  note?: ReactNode;
  className: string;
  /** In the place of title and note: a table with a heading of its own, a `CallsPanelHead`. */
  hasOwnHead?: boolean;
  style?: CSSProperties;
  children: ReactNode;
};

/** A titled part of the Calls page, with one table or list in it. */
export function CallsPanel({
  title,
  note = null,
  className,
  hasOwnHead = false,
  style,
  children,
}: CallsPanelProps): ReactNode {
  return (
    <section className={`calls-panel stack gap-2 min-h-0 ${className}`} aria-label={title} style={style}>
      {!hasOwnHead && <CallsPanelHead title={title}>{note}</CallsPanelHead>}
      {children}
    </section>
  );
}

/** The title of a part, and what stands beside it. */
export const CallsPanelHead = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div className="cluster">
    <h2>{title}</h2>
    {children}
  </div>
);
