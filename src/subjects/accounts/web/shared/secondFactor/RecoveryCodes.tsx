import { useRef, useState } from 'react';
import { copyText } from '#web/shared/copyText.ts';
import { saveFile } from '#web/shared/saveFile.ts';
import { Button } from '#ui/Button.tsx';

const textOf = (codes: readonly string[]): string =>
  `Recovery codes for Bellbird at ${location.host}. Each works once.\n\n${codes.join('\n')}\n`;

type RecoveryCodesProps = { codes: readonly string[]; onKept(): void };

/** The codes, this once, and two ways to keep them. @param onKept somebody did */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
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
    <div ref={frame} className="second-factor-form">
      <p>
        Keep these recovery codes where your phone is not. Each logs you in once if you lose it. They are not
        shown again.
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="second-factor-actions">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button onClick={download}>Download</Button>
      </div>
      <p role="status" className="muted">
        {said}
      </p>
    </div>
  );
}
