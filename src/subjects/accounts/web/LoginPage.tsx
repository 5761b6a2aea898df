import { lazy, Suspense, useEffect, useState } from 'react';
import { checkLogin } from '../rules/accountRules.ts';
import { ok } from '../../../lib/result.ts';
import { logIn, seedDemo } from './shared/session/account.ts';
import { type Cause, type Interruption, interruption } from './shared/session/interruption.ts';
import { loadTestMode, testMode } from './shared/session/testMode.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { TextField } from '../../../../web/ui/TextField.tsx';
import { AccountForm } from './AccountForm.tsx';
import { useAttempt } from './useAttempt.ts';

const SecondStep = lazy(async () => ({ default: (await import('./secondStep/SecondStep.tsx')).SecondStep }));

/** Signs in an existing account; in test mode a demo user too. */
export function LoginPage() {
  const [identifier, setIdentifier] = useState('');
  const [password, setPassword] = useState('');
  const [ticket, setTicket] = useState<string | null>(null);
  /** Why the second step was not taken. */
  const [expired, setExpired] = useState<string | null>(null);
  const { refusal, isBusy, attempt } = useAttempt();
  const submit = () => {
    setExpired(null);
    void attempt(checkLogin({ identifier, password }), (input) => logIn(input, setTicket));
  };
  const goBack = (why: string | null) => {
    setExpired(why);
    setTicket(null);
  };
  const seed = () => void attempt(ok(identifier.trim() || 'demo'), seedDemo);
  if (ticket !== null)
    return (
      <Suspense fallback={null}>
        <SecondStep ticket={ticket} onBack={goBack} />
      </Suspense>
    );
  return (
    <AccountForm
      title="Login"
      intro={interruption.value && <Interrupted {...interruption.value} />}
      submit="Login"
      submitting="Logging in…"
      isBusy={isBusy}
      error={refusal?.message ?? expired}
      onSubmit={submit}
      after={<AfterLogin isBusy={isBusy} onSeed={seed} />}
    >
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={identifier}
        aria-invalid={refusal?.field === 'identifier' || undefined}
        onChange={(event) => setIdentifier(event.target.value)}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        aria-invalid={refusal?.field === 'password' || undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
    </AccountForm>
  );
}

const CAUSES: Record<Cause, string> = {
  elsewhere: 'You were logged out in another window.',
  expired: 'Your session has ended. Log in again.',
};

/** Why somebody who was signed in has to log in. */
const Interrupted = ({ cause, inputs }: Interruption) => (
  <span role="status">
    {CAUSES[cause]}
    {Object.keys(inputs).length > 0 && ' What you typed is kept for your next login.'}
  </span>
);

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
