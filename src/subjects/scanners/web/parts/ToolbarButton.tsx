import type { ComponentProps, ReactNode } from 'react';
import BellOff from 'lucide-react/icons/bell-off';
import BellPlus from 'lucide-react/icons/bell-plus';
import BellRing from 'lucide-react/icons/bell-ring';

type ToolbarButtonProps = Omit<ComponentProps<'button'>, 'children' | 'className'> & {
  label: string;
  icon: ReactNode;
  /** True to show only the icon at larger widths too, because the bar is full. */
  isTerse?: boolean;
};

/** A button in a scanner's bars. In a narrow window only its icon is shown. */
export function ToolbarButton({ label, icon, isTerse = false, ...button }: ToolbarButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="toolbar-button tool is-quiet"
      data-terse={isTerse || undefined}
      title={label}
      aria-label={label}
      {...button}
    >
      {icon}
      <span className="toolbar-label">{label}</span>
    </button>
  );
}

/** State of the alert that watches exactly this view; null without one. */
export type BellState = 'on' | 'off' | 'not checked' | null;

const ICONS = { on: BellRing, off: BellOff, 'not checked': BellOff } as const;

type AlertBellProps = { state: BellState; isTerse?: boolean; onAlert(): void };

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
