import { useState, useRef } from 'react';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { FormError } from '#ui/Banner.tsx';
import { copyText, saveFile } from '#web/shared/copyText.ts';

const textOf = (codes: readonly string[]): string =>
  `Recovery codes for Bellbird at ${location.host}. Each works once.\n\n${codes.join('\n')}\n`;

type RecoveryCodesProps = { codes: readonly string[]; onKept(): void };

/** The codes, this once, and two ways to keep them. @param onKept somebody did */
function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [said, say] = useState('');
  const copy = async () => {
    const isCopied = await copyText(textOf(codes), frame.current);
    say(isCopied ? 'Copied.' : 'Copying did not work: download them instead.');
    if (isCopied) onKept();
  };
  const download = () => {
    saveFile(new Blob([textOf(codes)], { type: 'text/plain' }), 'bellbird-recovery-codes.txt');
    say('Downloaded.');
    onKept();
  };
  return (
    <div ref={frame} className="stack">
      <p>
        Keep these recovery codes where your phone is not. Each logs you in once if you lose it. They are not
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
        {said}
      </p>
    </div>
  );
}

type CodesDialogProps = { title: string; codes: readonly string[]; onClose(): void };

/** Shows new recovery codes; the first try to close it before they were kept only says so. */
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
        {isWarned && !isKept && 'You have not copied or downloaded them. Close again to go on without.'}
      </FormError>
    </DialogSheet>
  );
}
