import { type ComponentProps, type ReactNode, useId } from 'react';

type FieldProps = ComponentProps<'input'> & {
  label: string;
  /** What is wrong with this value; null when nothing is. */
  error?: string | null;
  /** What to enter, below the box. */
  help?: ReactNode;
};

/** A labelled text box with its help and its error, tied together for assistive technology. */
export function Field({ label, error = null, help, id, ...input }: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const described = [help ? `${inputId}-help` : '', error ? `${inputId}-error` : ''].join(' ').trim();
  return (
    <div className="field">
      <label htmlFor={inputId}>{label}</label>
      <input
        id={inputId}
        className="input"
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        {...input}
      />
      {help && (
        <p className="field-help" id={`${inputId}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${inputId}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
