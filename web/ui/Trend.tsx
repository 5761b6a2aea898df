import type { ReactNode } from 'react';

export type Direction = 'up' | 'down' | 'flat';

/** The class of an element whose text points this way. */
export const trendClass = (direction: Direction): string => `trend is-${direction}`;

/** A text in the colour of its direction, behind its arrow; the text itself says the direction too. */
export function Trend({ direction, children }: { direction: Direction; children: ReactNode }) {
  return <span className={trendClass(direction)}>{children}</span>;
}
