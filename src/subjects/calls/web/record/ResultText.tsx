import type { ReactNode } from 'react';
import { formatResult } from '../../rules/callFormat.ts';
import { Trend } from '../../../../../web/ui/Trend.tsx';
import { directionTone } from '../parts/directionTone.ts';

/** A result behind the arrow of its direction, percent; a dash where there is none. */
export const ResultText = ({ percent }: { percent: number | null }): ReactNode => {
  const direction = directionTone(percent, 1);
  const text = formatResult(percent);
  return direction === 'up' || direction === 'down' ? <Trend direction={direction}>{text}</Trend> : text;
};
