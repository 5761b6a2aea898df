import { type ChangeEvent, useState } from 'react';
import { registerError } from '../../../src/domain/accounts/accountRules.ts';
import { register } from '../../shared/session/account.ts';
import { routeQuery } from '../../shared/router/router.ts';
import { TextField } from '../../ui/TextField.tsx';
import { AccountForm } from './AccountForm.tsx';

const EMPTY = { username: '', password: '', confirm: '', email: '' };

export function RegisterPage() {
  const setupToken = routeQuery.value.get('setup');
  const [input, setInput] = useState(EMPTY);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const typed = (name: keyof typeof EMPTY) => ({
    name,
    value: input[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => setInput({ ...input, [name]: event.target.value }),
  });
  const submit = async () => {
    const wrong = registerError(input);
    setError(wrong);
    if (wrong) return;
    setBusy(true);
    const { username, password, email } = input;
    setError(await register({ username, password, email, setupToken }));
    setBusy(false);
  };
  return (
    <AccountForm
      title="Register"
      intro={setupToken && 'This registration sets up the server: the account becomes the administrator.'}
      submit="Register"
      submitting="Registering…"
      busy={busy}
      error={error}
      onSubmit={() => void submit()}
      after={
        <p>
          Already registered? <a href="#/login">Back to login</a>
        </p>
      }
    >
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...typed('username')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        help="At least 6 characters."
        {...typed('password')}
      />
      <TextField
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        required
        {...typed('confirm')}
      />
      <TextField label="Email (optional)" type="email" autoComplete="email" {...typed('email')} />
    </AccountForm>
  );
}
