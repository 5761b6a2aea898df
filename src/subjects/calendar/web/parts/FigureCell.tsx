import { type ReactNode, useEffect, useState } from 'react';
import './FigureCell.css';

/** As long as a changed cell of the scanners keeps its tint. */
const FLASH_MS = 600;

type FigureCellProps = {
  label: string;
  className: string;
  /** What the cell shows, as text: another one flashes. */
  figure: string;
  children: ReactNode;
};

/** A cell with a figure, tinted for a moment when another figure arrives. */
export function FigureCell({ label, className, figure, children }: FigureCellProps): ReactNode {
  const isNew = useFlash(figure);
  return (
    <td role="gridcell" className={`figure-cell ${className}${isNew ? ' is-new' : ''}`} data-label={label}>
      {children}
    </td>
  );
}

/** True for a moment whenever the text is another one than it was; not for the first. */
function useFlash(text: string): boolean {
  const [shown, setShown] = useState(text);
  const [isNew, setNew] = useState(false);
  // With the figure itself: tinted only after it is painted, the table would be drawn twice.
  if (text !== shown) {
    setShown(text);
    setNew(true);
  }
  useEffect(() => {
    if (!isNew) return;
    const timer = setTimeout(() => setNew(false), FLASH_MS);
    return () => clearTimeout(timer);
  }, [isNew, text]);
  return isNew;
}
