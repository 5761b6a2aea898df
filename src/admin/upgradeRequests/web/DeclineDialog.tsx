import type { upgradeRequest } from '#subjects/accounts/answers/account.ts';
import type { Known } from '#lib/contract/fields.ts';
import { type FormEvent, useId, useState } from 'react';
import { checkDeclineReason, PLAN_NAMES } from '#subjects/accounts/rules/upgrade.ts';
import type { Refusal } from '#lib/result.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { describedBy, Field } from '#ui/Field.tsx';

export type UpgradeRequest = Known<typeof upgradeRequest>;

type DeclineDialogProps = {
  request: UpgradeRequest;
  onClose(): void;
  /** @returns what is wrong with the reason; null if it was accepted and the dialog is closed */
  onDecline(reason: string): Promise<Refusal | null>;
};

function useReason(onDecline: DeclineDialogProps['onDecline']) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const checked = checkDeclineReason(reason);
    if (!checked.ok) return setError(checked.error.message);
    setBusy(true);
    const refusal = await onDecline(checked.value);
    if (refusal === null) return;
    setBusy(false);
    setError(refusal.message);
  };
  const type = (text: string) => {
    setReason(text);
    setError(null);
  };
  return { reason, type, error, isBusy, submit };
}

/** The dialog that declines a request. Import it lazily. */
export function DeclineDialog({ request, onClose, onDecline }: DeclineDialogProps) {
  const { reason, type, error, isBusy, submit } = useReason(onDecline);
  const [form, box] = [useId(), useId()];
  const help = `${request.username} will see it in Settings and in linked chats.`;
  return (
    <DialogSheet
      open
      title={`Decline ${PLAN_NAMES[request.requestedSubscriptionType]} for ${request.username}`}
      width="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="danger" disabled={isBusy}>
            {isBusy ? 'Declining…' : 'Decline'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)}>
        <Field id={box} label="Reason" help={help} error={error}>
          <textarea
            id={box}
            className="input"
            rows={3}
            maxLength={600}
            value={reason}
            aria-invalid={error ? true : undefined}
            aria-describedby={describedBy(box, { help, error })}
            onChange={({ target }) => type(target.value)}
          />
        </Field>
      </form>
    </DialogSheet>
  );
}
