import type { ReactNode } from 'react';
import { marketNow } from '../live/market.ts';
import { zoneMark } from './zoneMark.ts';

/** Names the zone of a page's times; empty if it equals this machine's. */
export function ZoneNote(): ReactNode {
  const zone = zoneMark(marketNow()).trim();
  return zone !== '' && <span className="muted">Times: Sydney ({zone})</span>;
}
