import { type CSSProperties, type ReactNode, useId } from 'react';
import './CallsPanel.css';

type CallsPanelProps = {
  title: string;
  /** Beside the title. */
  note?: ReactNode;
  className: string;
  style?: CSSProperties;
  children: ReactNode;
};

/** A titled part of the Calls page, with one table or list in it. */
export function CallsPanel({ title, note = null, className, style, children }: CallsPanelProps): ReactNode {
  const titleId = useId();
  return (
    <section className={`calls-panel ${className}`} aria-labelledby={titleId} style={style}>
      <div className="calls-panel-head">
        <h2 id={titleId}>{title}</h2>
        {note}
      </div>
      {children}
    </section>
  );
}
