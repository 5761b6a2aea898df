import BellOff from 'lucide-react/icons/bell-off';
import BellPlus from 'lucide-react/icons/bell-plus';
import BellRing from 'lucide-react/icons/bell-ring';
import type { ReactNode } from 'react';
import { ToolbarButton } from './ToolbarButton.tsx';

/** The alert that watches exactly what is on screen, in a word; null without one. */
export type BellState = 'on' | 'off' | 'not checked' | null;

const ICONS = { on: BellRing, off: BellOff, 'not checked': BellOff } as const;

type AlertBellProps = { state: BellState; isTerse?: boolean; onAlert(): void };

/** Makes an alert on what is on screen, or leads to the one that watches it already. */
export function AlertBell({ state, isTerse = false, onAlert }: AlertBellProps): ReactNode {
  const Icon = state === null ? BellPlus : ICONS[state];
  return (
    <ToolbarButton
      isTerse={isTerse}
      label={state === null ? 'Alert me on this scan' : `Alert on this scan: ${state}`}
      icon={<Icon size={15} />}
      data-alert={state ?? undefined}
      aria-haspopup="dialog"
      onClick={onAlert}
    />
  );
}
