import { type ReactNode, useEffect, useRef, useState } from 'react';
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
  const before = useRef(text);
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    if (before.current === text) return;
    before.current = text;
    setNew(true);
    const timer = setTimeout(() => setNew(false), FLASH_MS);
    return () => {
      clearTimeout(timer);
      setNew(false);
    };
  }, [text]);
  return isNew;
}
