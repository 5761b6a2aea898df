import { useEffect, useRef, useState } from 'react';
import { readCode } from '../../rules/secondFactor.ts';
import { failed } from '../../../../lib/result.ts';
import { Button } from '../../../../../web/ui/Button.tsx';
import { CodeField } from '../shared/secondFactor/CodeField.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { useAttempt } from '../useAttempt.ts';
import { sendSecondStep } from './secondStep.ts';

type SecondStepProps = {
  ticket: string;
  /** Back to the password. @param why what is to be said there */
  onBack(why: string | null): void;
};

/** Asks for the code after a right password. */
export function SecondStep({ ticket, onBack }: SecondStepProps) {
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const { refusal, isBusy, attempt } = useAttempt();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector('input')?.focus(), [isRecovery, refusal]);
  const send = async (): Promise<void> => {
    const read = readCode(code);
    const checked =
      read.ok && isRecovery !== (read.value.is === 'recovery') ? failed(WRONG_KIND[read.value.is]) : read;
    await attempt(checked, async (given) => {
      const refused = await sendSecondStep(ticket, given.code);
      if (refused?.field !== 'ticket') return refused;
      onBack(refused.message);
      return null;
    });
  };
  return (
    <AccountForm
      title="Two-factor login"
      intro={isRecovery ? 'Type one of the recovery codes that you kept. It works once.' : INTRO}
      submit="Log in"
      submitting="Logging in…"
      isBusy={isBusy}
      error={refusal?.message ?? null}
      onSubmit={() => void send()}
      after={
        <>
          <Button
            onClick={() => {
              setCode('');
              setRecovery(!isRecovery);
            }}
          >
            {isRecovery ? 'Use the code of your app' : 'Use a recovery code instead'}
          </Button>
          <Button onClick={() => onBack(null)}>Back to login</Button>
        </>
      }
    >
      <div ref={frame}>
        <CodeField
          key={String(isRecovery)}
          isRecovery={isRecovery}
          value={code}
          isWrong={refusal?.field === 'code'}
          onType={setCode}
        />
      </div>
    </AccountForm>
  );
}

const INTRO = 'Type the six digits that your authenticator app shows for Bellbird.';

const WRONG_KIND = {
  totp: { field: 'code', message: 'That is a code of your app, not a recovery code' },
  recovery: { field: 'code', message: 'That is a recovery code: choose to use one below' },
} as const;
