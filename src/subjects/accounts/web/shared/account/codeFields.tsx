import { TextField } from '#ui/Field.tsx';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { FormError } from '#ui/Banner.tsx';
import { errorOf, type Sending } from '#web/shared/useSending.tsx';

type CodeFieldProps = {
  value: string;
  isRecovery?: boolean;
  isWrong?: boolean;
  error?: string | null;
  help?: string;
  onType(code: string): void;
};

/** A field for a code. It has no length limit, because pasted codes may contain spaces. */
export function CodeField({
  value,
  isRecovery = false,
  isWrong = false,
  error,
  help,
  onType,
}: CodeFieldProps) {
  const kind = isRecovery
    ? ({ label: 'Recovery code', autoComplete: 'off', autoCapitalize: 'characters' } as const)
    : ({ label: 'Code', autoComplete: 'one-time-code', inputMode: 'numeric' } as const);
  return (
    <TextField
      {...kind}
      name="code"
      spellCheck={false}
      required
      value={value}
      error={error ?? null}
      help={help}
      {...(isWrong && { 'aria-invalid': true })}
      onChange={({ target }) => onType(target.value)}
    />
  );
}

const BOXES = ['password', 'code'];

type StepFormProps = { id: string; sending: Sending; onSubmit(): void; children: ReactNode };

/** A form that focuses its first field initially, and the wrong one after a refusal. */
export function StepForm({ id, sending, onSubmit, children }: StepFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { refusal } = sending;
  useEffect(() => {
    const wrong = refusal && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (wrong || form.current?.querySelector<HTMLElement>('input'))?.focus();
  }, [refusal]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={form} id={id} className="stack" noValidate onSubmit={submit}>
      {children}
      <FormError>{refusal && !BOXES.includes(refusal.field ?? '') && refusal.message}</FormError>
    </form>
  );
}

type PasswordBoxProps = { value: string; sending: Sending; onType(password: string): void };

export const PasswordBox = ({ value, sending, onType }: PasswordBoxProps) => (
  <TextField
    label="Your password"
    type="password"
    autoComplete="current-password"
    value={value}
    error={errorOf(sending, 'password')}
    onChange={({ target }) => onType(target.value)}
  />
);
