import type { ReactNode } from 'react';

export type PillVariant = 'plain' | 'accent' | 'up' | 'down' | 'warn' | 'stale';

/** A word in a small frame: a plan, a tag, a state. */
export function Pill({ variant = 'plain', children }: { variant?: PillVariant; children: ReactNode }) {
  return <span className={`pill tone-${variant}`}>{children}</span>;
}
