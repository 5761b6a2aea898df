import './DownloadBackupDialog.css';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { Refusal } from '../../../lib/result.ts';
import { api, refusalOf, unwrap } from '../../../../web/api/client.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../web/ui/DialogSheet.tsx';
import { FormError } from '../../../../web/ui/FormError.tsx';
import { TextField } from '../../../../web/ui/TextField.tsx';
import { readDownload } from './readBackups.ts';
import { saveFile } from './saveFile.ts';

async function ask(name: string, password: string): Promise<void> {
  saveFile((await unwrap(api.admin.backups({ name }).download.post({ password }), readDownload)).url);
}

/** Asks for the password before a backup is downloaded: it holds everybody's data, and a browser may be left open. */
export function DownloadBackupDialog({ name, onClose }: { name: string; onClose(): void }) {
  const formId = useId();
  const box = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    try {
      await ask(name, password);
      onClose();
    } catch (problem) {
      setRefusal(refusalOf(problem, 'The backup could not be downloaded.'));
      setSending(false);
      box.current?.focus();
    }
  };
  const isOfBox = refusal?.field === 'password';
  return (
    <DialogSheet
      open
      width="narrow"
      title="Download backup"
      description="It holds the data of everybody who uses this server. Keep it in a safe place."
      initialFocus={box}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} disabled={isSending}>
            {isSending ? 'Checking…' : 'Download'}
          </Button>
        </>
      }
    >
      <form id={formId} className="download-backup" noValidate onSubmit={(event) => void submit(event)}>
        <p className="download-backup-name">{name}</p>
        <TextField
          ref={box}
          label="Your password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={isOfBox ? refusal.message : null}
          onChange={(event) => {
            setPassword(event.target.value);
            setRefusal(null);
          }}
        />
        <FormError>{isOfBox ? null : refusal?.message}</FormError>
      </form>
    </DialogSheet>
  );
}
