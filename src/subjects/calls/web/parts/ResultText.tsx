import type { ReactNode } from 'react';
import { formatResult } from '../../rules/callFormat.ts';
import { Trend } from '#ui/Trend.tsx';
import { directionTone } from './pageParts.tsx';

export const ResultText = ({ percent }: { percent: number | null }): ReactNode => {
  const direction = directionTone(percent, 1);
  const text = formatResult(percent);
  return direction === 'up' || direction === 'down' ? <Trend direction={direction}>{text}</Trend> : text;
};
