import { type CSSProperties, type ReactNode, useId } from 'react';
import './CallsPanel.css';

type CallsPanelProps = { title: string; className: string; style?: CSSProperties; children: ReactNode };

/** A titled part of the Calls page, with one table in it. */
export function CallsPanel({ title, className, style, children }: CallsPanelProps): ReactNode {
  const titleId = useId();
  return (
    <section className={`calls-panel ${className}`} aria-labelledby={titleId} style={style}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </section>
  );
}
