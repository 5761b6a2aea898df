import type { ComponentProps, ReactNode } from 'react';
import './ToolbarButton.css';

type ToolbarButtonProps = Omit<ComponentProps<'button'>, 'children' | 'className'> & {
  label: string;
  icon: ReactNode;
};

/** A button of a scanner's bars; in a narrow window it shows its icon alone. */
export function ToolbarButton({ label, icon, ...button }: ToolbarButtonProps): ReactNode {
  return (
    <button type="button" className="toolbar-button" title={label} aria-label={label} {...button}>
      {icon}
      <span className="toolbar-label">{label}</span>
    </button>
  );
}
