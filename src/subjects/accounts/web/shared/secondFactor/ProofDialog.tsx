import { useId, useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { CodeField } from './CodeField.tsx';
import { CodesDialog } from './CodesDialog.tsx';
import { type Proof, renewCodes, turnOff } from './requests.ts';
import { PasswordBox, StepForm } from './StepForm.tsx';
import { errorOf, type Sending, useSending } from './useSending.ts';

export type ProofDialogProps = { demanded: boolean; onClose(): void; onDone(): void };

/** Turns two-factor login off. Import it lazily. */
export function TurnOffDialog({ demanded, onClose, onDone }: ProofDialogProps) {
  const sending = useSending();
  const send = async (proof: Proof): Promise<void> =>
    sending.send(
      () => turnOff(proof),
      (refused) => {
        sending.refuse(refused);
        if (refused !== null) return;
        onDone();
        onClose();
      },
    );
  return (
    <ProofForm
      title="Turn off two-factor login?"
      text={
        demanded
          ? 'Your password alone logs you in then, and the Admin Panel is closed to you, as this server demands it of administrators.'
          : 'Your password alone logs you in then, and your recovery codes are void.'
      }
      action="Turn off"
      isDanger
      sending={sending}
      onSend={(proof) => void send(proof)}
      onClose={onClose}
    />
  );
}

/** Makes new recovery codes. Import it lazily. */
export function NewCodesDialog({ onClose, onDone }: ProofDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const sending = useSending();
  const show = (made: readonly string[]) => {
    setCodes(made);
    onDone();
  };
  if (codes !== null) return <CodesDialog title="New recovery codes" codes={codes} onClose={onClose} />;
  return (
    <ProofForm
      title="New recovery codes"
      text="The old ones are void from then on."
      action="Make new codes"
      sending={sending}
      onSend={(proof) => void sending.send(() => renewCodes(proof), show)}
      onClose={onClose}
    />
  );
}

type ProofFormProps = {
  title: string;
  text: string;
  action: string;
  isDanger?: boolean;
  sending: Sending;
  onSend(proof: Proof): void;
  onClose(): void;
};

/** Asks for password and code. */
function ProofForm({ title, text, action, isDanger = false, sending, onSend, onClose }: ProofFormProps) {
  const [proof, setProof] = useState<Proof>({ password: '', code: '' });
  const id = useId();
  return (
    <DialogSheet
      open
      title={title}
      width="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={id}
            variant={isDanger ? 'danger' : 'primary'}
            disabled={sending.isBusy || proof.password === ''}
          >
            {sending.isBusy ? 'Checking…' : action}
          </Button>
        </>
      }
    >
      <StepForm id={id} sending={sending} onSubmit={() => onSend(proof)}>
        <p>{text}</p>
        <PasswordBox
          value={proof.password}
          sending={sending}
          onType={(password) => setProof({ ...proof, password })}
        />
        <CodeField
          value={proof.code}
          error={errorOf(sending, 'code')}
          help="Of your app, or a recovery code."
          onType={(code) => setProof({ ...proof, code })}
        />
      </StepForm>
    </DialogSheet>
  );
}
