import type { ReactNode } from 'react';
import { type AverageId, AVERAGES } from '#market/bars/rules/averages.ts';

/** A piece of an average's line, in its colour and strength. */
export function AverageLine({ id }: { id: AverageId }): ReactNode {
  const { kind, length } = AVERAGES[id];
  return <span className="average-line" data-kind={kind} data-length={length} aria-hidden="true" />;
}
