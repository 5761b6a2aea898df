import type { ReactNode } from 'react';

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
