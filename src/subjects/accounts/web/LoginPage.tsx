import { useEffect, useState } from 'react';
import { checkLogin, DEMO_MARK, MAX_USERNAME_LENGTH } from '../rules/accountRules.ts';
import { ok } from '#lib/result.ts';
import { logIn, seedDemo } from './shared/session/account.ts';
import { type Cause, type Interruption, interruption } from './shared/session/interruption.ts';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import { AccountForm, useAttempt, VisitorPage } from './AccountForm.tsx';
import { ABOUT } from '#web/shared/appInfo.ts';
import { readStoredText, writeStoredText } from '#web/shared/storage.ts';
import { signal } from '@preact/signals-react';
import { readerOf, request } from '#web/api/client.ts';
import { testStatusAnswer } from '#admin/testMode/answers/testMode.ts';
import { late } from '#web/shared/lateStyles.ts';

const testMode = signal(false);

/** If the request fails, test mode stays off. */
async function loadTestMode(): Promise<void> {
  try {
    testMode.value = (await request('GET /api/test/status', { read: readerOf(testStatusAnswer) })).test;
  } catch (problem) {
    testMode.value = false;
    console.warn('The test mode status could not be loaded.', problem);
  }
}

const KEY = 'bellbird.demo';

let unkept: string | null = null;

/** Marks this browser's demo accounts. */
function ownMark(): string {
  const known = readStoredText(KEY);
  if (known !== null && DEMO_MARK.test(known)) return known;
  // If the browser stores nothing, the mark lasts as long as the page.
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  unkept ??= [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStoredText(KEY, unkept);
  return unkept;
}

/** Name of this browser's demo account. It starts with the typed text, because that decides the account's rights. */
export function demoName(typed: string): string {
  const end = `-${ownMark()}`;
  const name = typed.trim() || 'demo';
  return name.endsWith(end) ? name : `${name.slice(0, MAX_USERNAME_LENGTH - end.length)}${end}`;
}

const SecondStep = late(() => import('./SecondStep.tsx').then((code) => code.SecondStep));

function useTicket() {
  const [ticket, setTicket] = useState<string | null>(null);
  const [expired, setExpired] = useState<string | null>(null);
  const goBack = (why: string | null) => {
    setExpired(why);
    setTicket(null);
  };
  return { ticket, setTicket, expired, setExpired, goBack };
}

/** The login screen; in test mode it also offers a demo user. */
export function LoginPage() {
  const [identifier, setIdentifier] = useState('');
  const [password, setPassword] = useState('');
  const { ticket, setTicket, expired, setExpired, goBack } = useTicket();
  const { refusal, isBusy, attempt } = useAttempt();
  const submit = () => {
    setExpired(null);
    void attempt(checkLogin({ identifier, password }), (input) => logIn(input, setTicket));
  };
  const seed = () => void attempt(ok(demoName(identifier)), seedDemo);
  if (ticket !== null) return <SecondStep ticket={ticket} onBack={goBack} />;
  return (
    <VisitorPage>
      <AccountForm
        title="Login"
        intro={interruption.value ? <Interrupted {...interruption.value} /> : ABOUT}
        submit="Login"
        submitting="Logging in…"
        isBusy={isBusy}
        error={refusal?.message ?? expired}
        onSubmit={submit}
        after={<AfterLogin isBusy={isBusy} onSeed={seed} />}
      >
        <LoginFields
          identifier={identifier}
          password={password}
          wrong={refusal?.field ?? null}
          onName={setIdentifier}
          onPassword={setPassword}
        />
      </AccountForm>
    </VisitorPage>
  );
}

type LoginFieldsProps = {
  identifier: string;
  password: string;
  /** The refused field; null for none. */
  wrong: string | null;
  onName(identifier: string): void;
  onPassword(password: string): void;
};

const LoginFields = ({ identifier, password, wrong, onName, onPassword }: LoginFieldsProps) => (
  <>
    <TextField
      label="Username"
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      value={identifier}
      aria-invalid={wrong === 'identifier' || undefined}
      onChange={(event) => onName(event.target.value)}
    />
    <TextField
      label="Password"
      name="password"
      type="password"
      autoComplete="current-password"
      required
      value={password}
      aria-invalid={wrong === 'password' || undefined}
      onChange={(event) => onPassword(event.target.value)}
    />
  </>
);

const CAUSES: Record<Cause, string> = {
  elsewhere: 'You were logged out in another window.',
  expired: 'Your session has ended. Log in again.',
};

/** Explains to a user who was logged in why another login is needed. */
const Interrupted = ({ cause, inputs }: Interruption) => (
  <span role="status">
    {CAUSES[cause]}
    {Object.keys(inputs).length > 0 && ' Your unsaved input is kept for your next login.'}
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
