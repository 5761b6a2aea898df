import './DownloadBackupDialog.css';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { Refusal } from '#lib/result.ts';
import { api, refusalOf } from '#web/api/client.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { FormError } from '#ui/FormError.tsx';
import { TextField } from '#ui/TextField.tsx';
import { saveDownload } from './saveDownload.ts';

/** The password that is typed, why it was refused, and the download. */
function useDownload(name: string, onClose: () => void) {
  const box = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    try {
      await saveDownload(api.admin.backups({ name }).download.post({ password }));
      onClose();
    } catch (problem) {
      setRefusal(refusalOf(problem, 'The backup could not be downloaded.'));
      setSending(false);
      box.current?.focus();
    }
  };
  const type = (text: string) => {
    setPassword(text);
    setRefusal(null);
  };
  return { box, password, type, refusal, isSending, submit };
}

/** Asks for the password before a backup is downloaded: it holds everybody's data, and a browser may be left open. */
export function DownloadBackupDialog({ name, onClose }: { name: string; onClose(): void }) {
  const formId = useId();
  const { box, password, type, refusal, isSending, submit } = useDownload(name, onClose);
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
          onChange={(event) => type(event.target.value)}
        />
        <FormError>{isOfBox ? null : refusal?.message}</FormError>
      </form>
    </DialogSheet>
  );
}
