import XIcon from 'lucide-react/icons/x';
import { type ComponentProps, type ReactNode, type RefObject, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { focusNeighbour } from './focusNeighbour.ts';

type FieldNotes = {
  help?: ReactNode;
  error?: string | null | undefined;
};

type FieldProps = FieldNotes & {
  id: string;
  label: string;
  /** The label is only for screen readers. */
  hideLabel?: boolean;
  className?: string;
  children: ReactNode;
};

/** The `aria-describedby` of the control. */
export const describedBy = (id: string, { help, error }: FieldNotes): string | undefined =>
  [help ? `${id}-help` : '', error ? `${id}-error` : ''].join(' ').trim() || undefined;

export function Field({ id, label, hideLabel = false, help, error, className, children }: FieldProps) {
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {children}
      {help && (
        <p className="field-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = ComponentProps<'input'> & {
  label: string;
  error?: string | null;
  help?: ReactNode;
};

/** A text field whose label, help and error are associated with it for screen readers. */
export function TextField({ label, error = null, help, id, ...input }: TextFieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <Field id={inputId} label={label} help={help} error={error}>
      <input
        id={inputId}
        className="input"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(inputId, { help, error })}
        {...input}
      />
    </Field>
  );
}

type NativeSelectProps<T extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  label: string;
  hideLabel?: boolean;
  value: T;
  options: readonly { id: T; label: string }[];
  onChoose: (value: T) => void;
};

/** A native select, which works best on a phone and needs no code. */
export function NativeSelect<T extends string>(props: NativeSelectProps<T>) {
  const { label, hideLabel = false, value, options, onChoose, ...rest } = props;
  const id = useId();
  return (
    <Field id={id} label={label} hideLabel={hideLabel}>
      <select
        id={id}
        className="input"
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.id === event.target.value);
          if (chosen) onChoose(chosen.id);
        }}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A slider, styled by `--track` (the track's background) and `--thumb` (the thumb inside its ring). */
export const RangeInput = (props: Omit<ComponentProps<'input'>, 'type' | 'className'>): ReactNode => (
  <input type="range" className="range-input" {...props} />
);

type RadioGroupProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { id: T; label: string }[];
  onChoose: (value: T) => void;
};

export function RadioGroup<T extends string>({ label, value, options, onChoose }: RadioGroupProps<T>) {
  const name = useId();
  return (
    <fieldset className="radio-group">
      <legend>{label}</legend>
      <div className="radio-options">
        {options.map((option) => (
          <label key={option.id} className="radio-option">
            <input
              type="radio"
              name={name}
              checked={option.id === value}
              onChange={() => onChoose(option.id)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type SwitchFieldProps = {
  label: string;
  value: boolean;
  disabled?: boolean;
  onChange(value: boolean): void;
};

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

type ToggleProps = {
  label: ReactNode;
  /** The accessible name, needed if the label is not enough. */
  name?: string;
  checked: boolean;
  disabled?: boolean;
  describedBy?: string | undefined;
  onChange(checked: boolean): void;
};

/** A setting that takes effect immediately: a native check box whose whole label is the target. */
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

type ChipsProps = {
  label: string;
  chips: readonly { key: string; label: string }[];
  onRemove(key: string): void;
  /** Gets the focus after the last chip was removed. */
  fallback: RefObject<HTMLElement | null>;
};

/** Chosen items, each with a remove button. After a removal the next button has the focus. */
export function Chips({ label, chips, onRemove, fallback }: ChipsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  if (chips.length === 0) return null;
  const remove = (key: string, index: number) => {
    flushSync(() => onRemove(key));
    focusNeighbour(list.current?.querySelectorAll('button') ?? [], index, fallback.current);
  };
  return (
    <ul className="chosen-chips" ref={list} aria-label={label}>
      {chips.map((chip, index) => (
        <li key={chip.key} className="chosen-chip">
          {chip.label}
          <button type="button" aria-label={`Remove ${chip.label}`} onClick={() => remove(chip.key, index)}>
            <XIcon size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
