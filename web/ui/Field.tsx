import XIcon from 'lucide-react/icons/x';
import { type ComponentProps, type ReactNode, type RefObject, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { focusNeighbour } from './focusNeighbour.ts';

type FieldNotes = {
  /** What to enter, below the box. */
  help?: ReactNode;
  /** What is wrong with the value; null when nothing is. */
  error?: string | null | undefined;
};

type FieldProps = FieldNotes & {
  /** Of the control inside. */
  id: string;
  label: string;
  /** The label is read out but not drawn. */
  hideLabel?: boolean;
  className?: string;
  children: ReactNode;
};

/** The `aria-describedby` of a control in a field with these notes. */
export const describedBy = (id: string, { help, error }: FieldNotes): string | undefined =>
  [help ? `${id}-help` : '', error ? `${id}-error` : ''].join(' ').trim() || undefined;

/** A control below its label, with its help and its error. */
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
  /** What is wrong with this value; null when nothing is. */
  error?: string | null;
  /** What to enter, below the box. */
  help?: ReactNode;
};

/** A labelled text box with its help and its error, tied together for assistive technology. */
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
  value: T;
  options: readonly { id: T; label: string }[];
  onChoose: (value: T) => void;
};

/** The browser's own select: the best list on a phone, and no code to download. */
export function NativeSelect<T extends string>(props: NativeSelectProps<T>) {
  const { label, value, options, onChoose, ...rest } = props;
  const id = useId();
  return (
    <Field id={id} label={label}>
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

/**
 * The browser's slider in the look of the product. What is set as `--track` in its styles is its track's background, and
 * `--thumb` that of its thumb within the ring.
 */
export const RangeInput = (props: Omit<ComponentProps<'input'>, 'type' | 'className'>): ReactNode => (
  <input type="range" className="range-input" {...props} />
);

type RadioGroupProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { id: T; label: string }[];
  onChoose: (value: T) => void;
};

/** One of a few, all in sight: the browser's own radio buttons, drawn as a row of segments. */
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

type ChipsProps = {
  label: string;
  chips: readonly { key: string; label: string }[];
  onRemove(key: string): void;
  /** Has the focus after the last chip was removed. */
  fallback: RefObject<HTMLElement | null>;
};

/** What was chosen from a list, each with a cross; after a removal the focus is on the next cross. */
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
