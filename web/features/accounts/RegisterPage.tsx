import { type ChangeEvent, useState } from 'react';
import { registerError } from '../../../src/domain/accounts/accountRules.ts';
import { routeQuery } from '../../shared/router/navigate.ts';
import { register } from '../../shared/session/account.ts';
import { TextField } from '../../ui/TextField.tsx';
import { AccountForm } from './AccountForm.tsx';
import { useAttempt } from './useAttempt.ts';

const EMPTY = { username: '', password: '', confirm: '', email: '' };
type Input = typeof EMPTY;

/** Makes an account; with a set-up link in the address, the first administrator. */
export function RegisterPage() {
  const setupToken = routeQuery.value.get('setup');
  const [input, setInput] = useState(EMPTY);
  const { error, isBusy, attempt } = useAttempt();
  const { username, password, email } = input;
  return (
    <AccountForm
      title="Register"
      intro={setupToken && 'This registration sets up the server: the account becomes the administrator.'}
      submit="Register"
      submitting="Registering…"
      isBusy={isBusy}
      error={error}
      onSubmit={() =>
        void attempt(registerError(input), () => register({ username, password, email, setupToken }))
      }
      after={
        <p>
          Already registered? <a href="#/login">Back to login</a>
        </p>
      }
    >
      <RegisterFields input={input} onInput={setInput} />
    </AccountForm>
  );
}

function RegisterFields({ input, onInput }: { input: Input; onInput(input: Input): void }) {
  const box = (name: keyof Input) => ({
    name,
    value: input[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onInput({ ...input, [name]: target.value }),
  });
  return (
    <>
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...box('username')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        help="At least 6 characters."
        {...box('password')}
      />
      <TextField
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        required
        {...box('confirm')}
      />
      <TextField label="Email (optional)" type="email" autoComplete="email" {...box('email')} />
    </>
  );
}
