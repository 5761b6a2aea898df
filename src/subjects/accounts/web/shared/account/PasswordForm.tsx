import './PasswordForm.css';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { checkPasswordChange } from '#subjects/accounts/rules/ownAccount.ts';
import type { Refusal } from '#lib/result.ts';
import { settings } from '#web/shared/settings.ts';
import { Button } from '#ui/Button.tsx';
import { FormError } from '#ui/FormError.tsx';
import { TextField } from '#ui/TextField.tsx';
import { CodeField } from '../secondFactor/CodeField.tsx';
import { changePassword } from './requests.ts';
import { useCode } from './useCode.ts';

const EMPTY = { currentPassword: '', newPassword: '', confirm: '' };
type Input = typeof EMPTY;

const LABELS: readonly { name: keyof Input; label: string; autoComplete: string; help?: string }[] = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  {
    name: 'newPassword',
    label: 'New password',
    autoComplete: 'new-password',
    help: 'At least 6 characters.',
  },
  { name: 'confirm', label: 'Confirm new password', autoComplete: 'new-password' },
];

/** What is typed, why it was refused, and its sending. */
function usePasswordChange(onChanged: () => void) {
  const [input, setInput] = useState(EMPTY);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const asked = useCode(refusal);

  const refuse = (next: Refusal) => {
    setRefusal(next);
    form.current
      ?.querySelector<HTMLInputElement>(`input[name="${next.field ?? 'currentPassword'}"]`)
      ?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const checked = checkPasswordChange(input);
    if (!checked.ok) return refuse(checked.error);
    setBusy(true);
    const refused = await changePassword({ ...checked.value, code: asked.code });
    setBusy(false);
    if (refused !== null) return refuse(refused);
    setInput(EMPTY);
    asked.setTyped('');
    setRefusal(null);
    onChanged();
  };
  return { input, setInput, asked, refusal, isBusy, form, submit };
}

/** Sets another password. @param onChanged the other login sessions have ended by it */
export function PasswordForm({ onChanged }: { onChanged(): void }) {
  const { input, setInput, asked, refusal, isBusy, form, submit } = usePasswordChange(onChanged);
  const isOfForm =
    refusal !== null && refusal.field !== 'code' && !LABELS.some(({ name }) => name === refusal.field);
  return (
    <form ref={form} className="password-form" noValidate onSubmit={(event) => void submit(event)}>
      {/* A password manager saves the new password under this name. */}
      <input
        type="text"
        hidden
        readOnly
        autoComplete="username"
        aria-label="Username"
        value={settings.value?.username ?? ''}
      />
      {LABELS.map(({ name, label, autoComplete, help }) => (
        <TextField
          key={name}
          name={name}
          label={label}
          type="password"
          autoComplete={autoComplete}
          help={help}
          value={input[name]}
          error={refusal?.field === name ? refusal.message : null}
          onChange={({ target }: ChangeEvent<HTMLInputElement>) =>
            setInput({ ...input, [name]: target.value })
          }
        />
      ))}
      {asked.isAsked && (
        <CodeField
          value={asked.typed}
          error={asked.error}
          help="Of your app, or a recovery code."
          onType={asked.setTyped}
        />
      )}
      <FormError>{isOfForm && refusal.message}</FormError>
      <Button type="submit" disabled={isBusy}>
        {isBusy ? 'Changing…' : 'Change password'}
      </Button>
    </form>
  );
}
