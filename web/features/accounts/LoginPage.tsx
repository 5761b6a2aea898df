import { useEffect, useState } from 'react';
import { loginError } from '../../../src/domain/accounts/accountRules.ts';
import { logIn, seedDemo } from '../../shared/session/account.ts';
import { loadTestMode, testMode } from '../../shared/session/testMode.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { AccountForm } from './AccountForm.tsx';

export function LoginPage() {
  const [identifier, setIdentifier] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => void loadTestMode(), []);

  const attempt = async (request: () => Promise<string | null>) => {
    setBusy(true);
    setError(null);
    const problem = await request();
    // After a success another screen stands here; setting state then would be lost, not wrong.
    setError(problem);
    setBusy(false);
  };
  const submit = () => {
    const missing = loginError({ identifier, password });
    if (missing) setError(missing);
    else void attempt(() => logIn(identifier.trim(), password));
  };

  return (
    <AccountForm
      title="Login"
      submit="Login"
      submitting="Logging in…"
      busy={busy}
      error={error}
      onSubmit={submit}
      after={
        <>
          <p>
            No account yet? <a href="#/register">Register</a>
          </p>
          {testMode.value && (
            <Button disabled={busy} onClick={() => void attempt(() => seedDemo(identifier.trim() || 'demo'))}>
              Seed Demo Data (Test Mode)
            </Button>
          )}
        </>
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
