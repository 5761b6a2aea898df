import { type FormEvent, useId, useState } from 'react';
import type { Refusal } from '#lib/result.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { FormError } from '#ui/Banner.tsx';
import { TextField } from '#ui/Field.tsx';
import { CodeField } from './codeFields.tsx';
import { deleteAccount, useCode } from './accountRequests.ts';

function useDeletion() {
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const asked = useCode(refusal);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const refused = await deleteAccount({ password, code: asked.code });
    // On success the screen disappears.
    if (refused !== null) {
      setBusy(false);
      setRefusal(refused);
    }
  };
  return { password, setPassword, asked, refusal, isBusy, submit };
}

export function DeleteAccountDialog({ onClose }: { onClose(): void }) {
  const { password, setPassword, asked, refusal, isBusy, submit } = useDeletion();
  const form = useId();
  const isOfBox = refusal?.field === 'password';
  const isOfForm = refusal !== null && !isOfBox && refusal.field !== 'code';
  return (
    <DialogSheet
      open
      title="Delete your account?"
      width="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="danger" disabled={isBusy || password === ''}>
            {isBusy ? 'Deleting…' : 'Delete account'}
          </Button>
        </>
      }
    >
      <form id={form} className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <p>
          Your alerts, watchlist, scans, settings, linked chats and call rationales are deleted immediately
          and permanently. Your calls stay, but without your name.
        </p>
        <TextField
          label="Your password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={isOfBox ? refusal.message : null}
          onChange={({ target }) => setPassword(target.value)}
        />
        {asked.isAsked && (
          <CodeField
            value={asked.typed}
            error={asked.error}
            help="From your app, or a recovery code."
            onType={asked.setTyped}
          />
        )}
        <FormError>{isOfForm && refusal.message}</FormError>
      </form>
    </DialogSheet>
  );
}
