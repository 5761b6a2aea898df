import type { ReactNode } from 'react';
import { marketNow } from '../live/market.ts';
import { zoneMark } from './zoneMark.ts';

/** Says whose time the times of a page are; nothing where this machine's clock shows the same. */
export function ZoneNote(): ReactNode {
  const zone = zoneMark(marketNow()).trim();
  return zone !== '' && <span className="muted">Times: Sydney ({zone})</span>;
}
