import type { ReactNode } from 'react';

export type PillVariant = 'plain' | 'accent' | 'up' | 'down' | 'warn' | 'stale';

export function Pill({ variant = 'plain', children }: { variant?: PillVariant; children: ReactNode }) {
  return <span className={`pill tone-${variant}`}>{children}</span>;
}

type NavBadgeProps = { count: number; one: string; many: string };

/** A count next to a navigation item; empty for 0. */
export const NavBadge = ({ count, one, many }: NavBadgeProps) =>
  count > 0 && (
    <span className="nav-badge">
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> {count === 1 ? one : many}</span>
    </span>
  );
