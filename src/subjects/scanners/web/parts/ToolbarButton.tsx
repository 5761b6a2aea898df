import type { ComponentProps, ReactNode } from 'react';

type ToolbarButtonProps = Omit<ComponentProps<'button'>, 'children' | 'className'> & {
  label: string;
  icon: ReactNode;
  /** Shows its icon alone in a wider window already, where the bar has more in it. */
  isTerse?: boolean;
};

/** A button of a scanner's bars; in a narrow window it shows its icon alone. */
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
