import { useEffect, useRef, useState } from 'react';
import { readCode } from '../rules/secondFactor.ts';
import { failed, type Refusal } from '#lib/result.ts';
import { Button } from '#ui/Button.tsx';
import { CodeField } from './shared/account/codeFields.tsx';
import { AccountForm, useAttempt } from './AccountForm.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { request } from '#web/api/client.ts';
import { afterLogin, readAuthentication, refusedWith, startSessionFrom } from './shared/session/account.ts';

const REFUSED = 'That code was not accepted';

/** @returns why the code was refused (field `ticket`: start again), or null on success */
async function sendSecondStep(ticket: string, code: string): Promise<Refusal | null> {
  try {
    const answer = await request('POST /api/login/second-step', {
      body: { ticket, code },
      read: readAuthentication,
    });
    return startSessionFrom(answer, REFUSED, afterLogin);
  } catch (cause) {
    return refusedWith(cause, REFUSED, MESSAGES.login.network);
  }
}

type SecondStepProps = {
  ticket: string;
  /** Returns to the password. @param why a message to show there */
  onBack(why: string | null): void;
};

type CodeStepProps = SecondStepProps & { isRecovery: boolean; onOtherKind(): void };

export function SecondStep(props: SecondStepProps) {
  const [isRecovery, setRecovery] = useState(false);
  const other = () => setRecovery(!isRecovery);
  // The key resets the input and error when the user switches between code and recovery code.
  return <CodeStep key={String(isRecovery)} {...props} isRecovery={isRecovery} onOtherKind={other} />;
}

function useSecondStep({ ticket, isRecovery, onBack }: CodeStepProps) {
  const [code, setCode] = useState('');
  const { refusal, isBusy, attempt } = useAttempt();
  const send = (): Promise<void> => {
    const read = readCode(code);
    const isOther = read.ok && isRecovery !== (read.value.is === 'recovery');
    return attempt(isOther ? failed(WRONG_KIND[read.value.is]) : read, async (given) => {
      const refused = await sendSecondStep(ticket, given.code);
      if (refused?.field !== 'ticket') return refused;
      onBack(refused.message);
      return null;
    });
  };
  return { code, setCode, refusal, isBusy, send };
}

function CodeStep(props: CodeStepProps) {
  const { isRecovery, onOtherKind, onBack } = props;
  const { code, setCode, refusal, isBusy, send } = useSecondStep(props);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector('input')?.focus(), [refusal]);
  return (
    <AccountForm
      title="Two-factor login"
      intro={isRecovery ? RECOVERY_INTRO : INTRO}
      submit="Log in"
      submitting="Logging in…"
      isBusy={isBusy}
      error={refusal?.message ?? null}
      onSubmit={() => void send()}
      after={
        <>
          <Button onClick={onOtherKind}>
            {isRecovery ? 'Use the code from your app' : 'Use a recovery code instead'}
          </Button>
          <Button onClick={() => onBack(null)}>Back to login</Button>
        </>
      }
    >
      <div ref={frame}>
        <CodeField
          isRecovery={isRecovery}
          value={code}
          isWrong={refusal?.field === 'code'}
          onType={setCode}
        />
      </div>
    </AccountForm>
  );
}

const RECOVERY_INTRO = 'Enter one of your recovery codes. Each works once.';
const INTRO = 'Enter the six digits from your authenticator app.';

const WRONG_KIND = {
  totp: { field: 'code', message: 'That is a code from your app, not a recovery code' },
  recovery: { field: 'code', message: 'That is a recovery code. Choose “Use a recovery code instead” below' },
} as const;
