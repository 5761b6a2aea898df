import { type ComponentProps, type ReactNode, useId } from 'react';
import { describedBy, Field } from './Field.tsx';

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
