import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { FormError } from '#ui/Banner.tsx';
import { TextField } from '#ui/Field.tsx';
import { errorOf, type Sending } from './useSending.ts';

const BOXES = ['password', 'code'];

type StepFormProps = { id: string; sending: Sending; onSubmit(): void; children: ReactNode };

/** A form in a dialog: its first box has the focus as it comes, and the one that was refused afterwards. */
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
