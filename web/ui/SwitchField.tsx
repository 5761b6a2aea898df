import { useId } from 'react';

type SwitchFieldProps = {
  label: string;
  value: boolean;
  disabled?: boolean;
  onChange(value: boolean): void;
};

/** A question answered by a switch, which says Yes or No. */
export function SwitchField({ label, value, disabled = false, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <label className="toggle">
      <span id={id}>{label}</span>
      <input
        type="checkbox"
        role="switch"
        className="toggle-box"
        aria-labelledby={id}
        checked={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="strong" aria-hidden>
        {value ? 'Yes' : 'No'}
      </span>
    </label>
  );
}
