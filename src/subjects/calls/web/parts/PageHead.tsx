import type { ReactNode } from 'react';
import './PageHead.css';

type PageHeadProps = {
  title: string;
  /** Where one level up is. */
  back: { to: string; label: string };
  notes: ReactNode;
  children: ReactNode;
};

/** The head of a page below Calls: its title, what is to be said beside it, and what can be done. */
export const PageHead = ({ title, back, notes, children }: PageHeadProps): ReactNode => (
  <header className="calls-page-head">
    <a href={`#${back.to}`}>{back.label}</a>
    <h1>{title}</h1>
    {notes}
    <span className="calls-page-actions">{children}</span>
  </header>
);
