import type { ReactNode } from 'react';
import './Pill.css';

export type PillLook = 'plain' | 'accent' | 'up' | 'down' | 'warn' | 'stale';

/** A word in a small frame: a plan, a tag, a state. */
export function Pill({ look = 'plain', children }: { look?: PillLook; children: ReactNode }) {
  return <span className={`pill pill-${look}`}>{children}</span>;
}
