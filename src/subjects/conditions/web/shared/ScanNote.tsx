import type { ReactNode } from 'react';
import { NO_SCAN } from '../../rules/draft.ts';
import type { Operand } from '../../rules/operand.ts';
import { SCANNERS } from '../../../scanners/rules/scanners.ts';
import type { OfferedScan } from './OperandSelect.tsx';

type ScanNoteProps = {
  value: Operand | null;
  /** The user's saved scans; null until they are loaded. */
  scans: readonly OfferedScan[] | null;
};

/** What is to be said of a condition on a saved scan that can't be chosen, with the way to make one; nothing else. */
export function ScanNote({ value, scans }: ScanNoteProps): ReactNode {
  if (value?.type !== 'scan' || scans === null) return null;
  const isChosen = value.id !== NO_SCAN.id;
  if (isChosen && scans.some(({ id }) => id === value.id)) return null;
  return (
    <>
      {isChosen && (
        <p className="field-error">
          Your scan “{value.name}” was deleted. Choose something else to wait for.
        </p>
      )}
      {scans.length === 0 && (
        <p className="field-help">
          You have no saved scans. Make one in the <a href={`#${SCANNERS.custom.route}`}>Custom Scanner</a>{' '}
          and it appears here.
        </p>
      )}
    </>
  );
}
