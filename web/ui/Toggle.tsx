import type { ReactNode } from 'react';

type ToggleProps = {
  label: ReactNode;
  /** The accessible name, where the label alone does not say what is switched. */
  name?: string;
  checked: boolean;
  disabled?: boolean;
  /** The id of what explains it. */
  describedBy?: string | undefined;
  onChange(checked: boolean): void;
};

/** A switch that acts at once: the browser's own check box, of which the whole label is the target. */
export function Toggle({ label, name, checked, disabled = false, describedBy, onChange }: ToggleProps) {
  return (
    <label className="toggle">
      <input
        type="checkbox"
        role="switch"
        className="toggle-box"
        aria-label={name}
        aria-describedby={describedBy}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
