import { type ChangeEvent, useState } from 'react';
import { checkRegistration } from '../rules/accountRules.ts';
import { routeQuery } from '#web/router/navigate.ts';
import { register } from './shared/session/account.ts';
import { TextField } from '#ui/Field.tsx';
import { AccountForm, useAttempt, VisitorPage } from './AccountForm.tsx';
import { ABOUT } from '#web/shared/appInfo.ts';

const EMPTY = { username: '', password: '', confirm: '', email: '' };
type Input = typeof EMPTY;

/** The registration screen. With a set-up link in the address, the account becomes the first administrator's. */
export function RegisterPage() {
  const setupToken = routeQuery.value.get('setup');
  const [input, setInput] = useState(EMPTY);
  const { refusal, isBusy, attempt } = useAttempt();
  return (
    <VisitorPage>
      <AccountForm
        title="Register"
        intro={
          setupToken ? 'This registration sets up the server: the account becomes the administrator.' : ABOUT
        }
        submit="Register"
        submitting="Registering…"
        isBusy={isBusy}
        error={refusal?.message ?? null}
        onSubmit={() =>
          void attempt(checkRegistration(input), (checked) => register({ ...checked, setupToken }))
        }
        after={
          setupToken ? (
            <p>
              Have a backup? <a href={`#/restore?setup=${encodeURIComponent(setupToken)}`}>Restore it here</a>
            </p>
          ) : (
            <p>
              Already registered? <a href="#/login">Back to login</a>
            </p>
          )
        }
      >
        <RegisterFields input={input} wrong={refusal?.field ?? null} onInput={setInput} />
      </AccountForm>
    </VisitorPage>
  );
}

type RegisterFieldsProps = {
  input: Input;
  /** The refused field; null for none. */
  wrong: string | null;
  onInput(input: Input): void;
};

function RegisterFields({ input, wrong, onInput }: RegisterFieldsProps) {
  const box = (name: keyof Input) => ({
    name,
    value: input[name],
    'aria-invalid': wrong === name || undefined,
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
