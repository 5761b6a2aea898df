import type { ReactNode } from 'react';

export type Direction = 'up' | 'down' | 'flat';

export const trendClass = (direction: Direction): string => `trend is-${direction}`;

export function Trend({ direction, children }: { direction: Direction; children: ReactNode }) {
  return <span className={trendClass(direction)}>{children}</span>;
}
