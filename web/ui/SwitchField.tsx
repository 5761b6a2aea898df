import { Switch } from '@base-ui/react/switch';
import { useId } from 'react';

type SwitchFieldProps = {
  label: string;
  value: boolean;
  disabled?: boolean;
  onChange(value: boolean): void;
};

/** A question answered by a switch, which says Yes or No. Import it lazily: it brings Base UI along. */
export function SwitchField({ label, value, disabled = false, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className="switch-field">
      <span id={id}>{label}</span>
      <Switch.Root
        className="switch"
        aria-labelledby={id}
        checked={value}
        disabled={disabled}
        onCheckedChange={(checked) => onChange(checked)}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
      <span className="switch-answer" aria-hidden>
        {value ? 'Yes' : 'No'}
      </span>
    </div>
  );
}
