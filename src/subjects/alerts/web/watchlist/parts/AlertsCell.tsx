import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import './AlertsCell.css';

// Made once: a line of a table that shows another row draws its mark anew.
const UNSAVED = <TriangleAlertIcon size={14} role="img" aria-label="An alert is not saved" />;

/** How many alerts a symbol has, and whether one of them waits for its owner to be saved. */
export function AlertsCell({ count, isUnsaved }: { count: number; isUnsaved: boolean }): ReactNode {
  return (
    <span className="alerts-cell">
      {isUnsaved && UNSAVED}
      {count}
    </span>
  );
}
