import { useEffect, useState } from 'react';
import { loginError } from '../../../src/domain/accounts/accountRules.ts';
import { logIn, seedDemo } from '../../shared/session/account.ts';
import { loadTestMode, testMode } from '../../shared/session/testMode.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { AccountForm } from './AccountForm.tsx';
import { useAttempt } from './useAttempt.ts';

/** Signs in an existing account; in test mode a demo user too. */
export function LoginPage() {
  const [identifier, setIdentifier] = useState('');
  const [password, setPassword] = useState('');
  const { error, isBusy, attempt } = useAttempt();
  return (
    <AccountForm
      title="Login"
      submit="Login"
      submitting="Logging in…"
      isBusy={isBusy}
      error={error}
      onSubmit={() =>
        void attempt(loginError({ identifier, password }), () => logIn(identifier.trim(), password))
      }
      after={
        <AfterLogin
          isBusy={isBusy}
          onSeed={() => void attempt(null, () => seedDemo(identifier.trim() || 'demo'))}
        />
      }
    >
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={identifier}
        onChange={(event) => setIdentifier(event.target.value)}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </AccountForm>
  );
}

function AfterLogin({ isBusy, onSeed }: { isBusy: boolean; onSeed(): void }) {
  useEffect(() => void loadTestMode(), []);
  return (
    <>
      <p>
        No account yet? <a href="#/register">Register</a>
      </p>
      {testMode.value && (
        <Button disabled={isBusy} onClick={onSeed}>
          Seed Demo Data (Test Mode)
        </Button>
      )}
    </>
  );
}
