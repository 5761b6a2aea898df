import { type ReactNode, useId, useState } from 'react';
import { inBlocks } from '#subjects/accounts/rules/secondFactor.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { CodeField, PasswordBox, StepForm } from './codeFields.tsx';
import { CodesDialog } from './ProofDialog.tsx';
import { errorOf, type Sending, useSending } from '#web/shared/useSending.tsx';
import { type Begun, beginSetUp, confirmSetUp } from './accountRequests.ts';
import { encode } from 'uqr';

/** White border around the code that readers need, in modules. */
const QUIET = 4;

/** A QR code, dark on light in both themes because readers expect that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="white" />
      <path d={path.join('')} fill="black" shapeRendering="crispEdges" />
    </svg>
  );
}

type SetUpDialogProps = {
  onClose(): void;
  /** Called when two-factor login is on and the other sessions have ended. */
  onTurnedOn(): void;
};

type Step = { is: 'password' } | ({ is: 'scan' } & Begun) | { is: 'codes'; codes: readonly string[] };

/** Sets up two-factor login in three steps: password, QR code with the first code, recovery codes. */
export function SetUpDialog({ onClose, onTurnedOn }: SetUpDialogProps) {
  const [step, setStep] = useState<Step>({ is: 'password' });
  const turnedOn = (codes: readonly string[]) => {
    setStep({ is: 'codes', codes });
    onTurnedOn();
  };
  if (step.is === 'codes')
    return <CodesDialog title="Two-factor login is on" codes={step.codes} onClose={onClose} />;
  return step.is === 'password' ? (
    <PasswordStep onClose={onClose} onBegun={(begun) => setStep({ is: 'scan', ...begun })} />
  ) : (
    <ScanStep begun={step} onClose={onClose} onConfirmed={turnedOn} />
  );
}

type StepDialogProps = {
  action: string;
  sending: Sending;
  isReady?: boolean;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
};

function StepDialog({ action, sending, isReady = true, onSubmit, onClose, children }: StepDialogProps) {
  const id = useId();
  return (
    <DialogSheet
      open
      title="Turn on two-factor login"
      width="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id} disabled={sending.isBusy || !isReady}>
            {sending.isBusy ? 'Checking…' : action}
          </Button>
        </>
      }
    >
      <StepForm id={id} sending={sending} onSubmit={onSubmit}>
        {children}
      </StepForm>
    </DialogSheet>
  );
}

function PasswordStep({ onClose, onBegun }: { onClose(): void; onBegun(begun: Begun): void }) {
  const [password, setPassword] = useState('');
  const sending = useSending();
  return (
    <StepDialog
      action="Continue"
      sending={sending}
      onClose={onClose}
      isReady={password !== ''}
      onSubmit={() => void sending.send(async () => onBegun(await beginSetUp(password)))}
    >
      <p>You need an authenticator app on your phone. Each login will also ask for its code.</p>
      <PasswordBox value={password} sending={sending} onType={setPassword} />
    </StepDialog>
  );
}

type ScanStepProps = { begun: Begun; onClose(): void; onConfirmed(codes: readonly string[]): void };

function ScanStep({ begun, onClose, onConfirmed }: ScanStepProps) {
  const [code, setCode] = useState('');
  const sending = useSending();
  return (
    <StepDialog
      action="Turn on"
      sending={sending}
      onClose={onClose}
      onSubmit={() => void sending.send(async () => onConfirmed(await confirmSetUp(code)))}
    >
      <p>Scan this with your authenticator app, or enter the key there.</p>
      <QrCode text={begun.address} label="QR code for your authenticator app" />
      <p className="second-factor-key">
        Key <code>{inBlocks(begun.secret, ' ')}</code>
      </p>
      <p>
        <a href={begun.address}>Open it in an app on this device</a>
      </p>
      <CodeField
        value={code}
        error={errorOf(sending, 'code')}
        help="The six digits that the app shows."
        onType={setCode}
      />
      <p className="muted">This logs you out on your other devices.</p>
    </StepDialog>
  );
}
