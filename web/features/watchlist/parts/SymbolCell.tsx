import { memo, type ReactNode } from 'react';
import { NameCell, type NameCellProps } from '../../../shared/stock/NameCell.tsx';
import './SymbolCell.css';

type SymbolCellProps = NameCellProps & {
  /** Why the symbol does not trade; null when it does. */
  note: string | null;
};

function PlainSymbolCell({ note, ...cell }: SymbolCellProps): ReactNode {
  if (note === null) return <NameCell {...cell} />;
  return (
    <span className="symbol-cell">
      <NameCell {...cell} isShort name="" />
      <span className="symbol-note">{cell.isShort && note === 'Not listed' ? 'Gone' : note}</span>
    </span>
  );
}

/** A symbol as in the scanners; where it does not trade, why. Takes no row: a price that changed renders nothing here. */
export const SymbolCell = memo(PlainSymbolCell);
