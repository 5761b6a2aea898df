import type { ReactNode } from 'react';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';

type SurplusCellProps = { row: ScannerRow; children: ReactNode };

/** The surplus of a running auction, marked for a minute after it changed sides. */
export function SurplusCell({ row, children }: SurplusCellProps): ReactNode {
  const { surplusFlip } = row;
  if (surplusFlip === undefined || row.preopenCached) return children;
  const words = `Flipped to ${surplusFlip > 0 ? 'buyers' : 'sellers'} in the last minute`;
  return (
    <>
      <span className="surplus-flip" title={words}>
        <span aria-hidden="true">⇄</span>
        <span className="visually-hidden">{words}:</span>
      </span>{' '}
      {children}
    </>
  );
}
