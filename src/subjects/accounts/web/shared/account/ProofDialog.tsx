import { useId, useState, useRef } from 'react';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { CodeField, PasswordBox, StepForm } from './codeFields.tsx';
import { errorOf, type Sending, useSending } from '#web/shared/useSending.tsx';
import { type Proof, renewCodes, turnOff, TURN_OFF_FAILED } from './accountRequests.ts';
import { FormError } from '#ui/Banner.tsx';
import { copyText, saveFile } from '#web/shared/copyText.ts';

const textOf = (codes: readonly string[]): string =>
  `Recovery codes for Bellbird at ${location.host}. Each works once.\n\n${codes.join('\n')}\n`;

/** @param onKept called when the user copied or downloaded the codes */
function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const frame = useRef<HTMLDivElement>(null);
  const [message, setMessage] = useState('');
  const copy = async () => {
    const isCopied = await copyText(textOf(codes), frame.current);
    setMessage(isCopied ? 'Copied.' : 'Copying failed. Download them instead.');
    if (isCopied) onKept();
  };
  const download = () => {
    saveFile(new Blob([textOf(codes)], { type: 'text/plain' }), 'bellbird-recovery-codes.txt');
    setMessage('Downloaded.');
    onKept();
  };
  return (
    <div ref={frame} className="stack">
      <p>
        Store these recovery codes somewhere other than your phone. Each one works once. They will not be
        shown again.
      </p>
      <ul className="recovery-codes form-row" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="wrap gap-2-3">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button onClick={download}>Download</Button>
      </div>
      <p role="status" className="muted">
        {message}
      </p>
    </div>
  );
}

type CodesDialogProps = { title: string; codes: readonly string[]; onClose(): void };

/** Shows recovery codes. The first attempt to close before the user saved them shows a warning. */
export function CodesDialog({ title, codes, onClose }: CodesDialogProps) {
  const [isKept, setKept] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const close = () => {
    if (isKept || isWarned) onClose();
    else setWarned(true);
  };
  return (
    <DialogSheet
      open
      title={title}
      width="narrow"
      onClose={close}
      footer={
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      }
    >
      <RecoveryCodes codes={codes} onKept={() => setKept(true)} />
      <FormError>
        {isWarned &&
          !isKept &&
          'You have not copied or downloaded them. Close again to continue without saving.'}
      </FormError>
    </DialogSheet>
  );
}

type ProofDialogProps = { demanded: boolean; onClose(): void; onDone(): void };

export function TurnOffDialog({ demanded, onClose, onDone }: ProofDialogProps) {
  const sending = useSending();
  const send = async (proof: Proof): Promise<void> => {
    const isOff = await sending.send(() => turnOff(proof), TURN_OFF_FAILED);
    if (!isOff) return;
    onDone();
    onClose();
  };
  return (
    <ProofForm
      title="Turn off two-factor login?"
      text={
        demanded
          ? 'You will log in with only your password, and you can’t open the Admin Panel because this server requires two-factor login for administrators.'
          : 'You will log in with only your password, and your recovery codes will stop working.'
      }
      action="Turn off"
      isDanger
      sending={sending}
      onSend={(proof) => void send(proof)}
      onClose={onClose}
    />
  );
}

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
      text="Your old recovery codes will stop working."
      action="Make new codes"
      sending={sending}
      onSend={(proof) => void sending.send(async () => show(await renewCodes(proof)))}
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
          help="From your app, or a recovery code."
          onType={(code) => setProof({ ...proof, code })}
        />
      </StepForm>
    </DialogSheet>
  );
}
