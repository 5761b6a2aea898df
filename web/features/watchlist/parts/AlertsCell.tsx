import BellRingIcon from 'lucide-react/icons/bell-ring';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import type { AlertMark } from '../rows.ts';
import './AlertsCell.css';

// Made once: a line of a table that shows another row draws its mark anew.
const MARKS = {
  fired: <BellRingIcon size={14} role="img" aria-label="An alert fired" />,
  unsaved: <TriangleAlertIcon size={14} role="img" aria-label="An alert is not saved" />,
} as const;

/** How many alerts a symbol has, and whether one of them asks for a look. */
export function AlertsCell({ count, mark }: { count: number; mark: AlertMark }): ReactNode {
  return (
    <span className={mark === null ? 'alerts-cell' : `alerts-cell is-${mark}`}>
      {mark && MARKS[mark]}
      {count}
    </span>
  );
}
