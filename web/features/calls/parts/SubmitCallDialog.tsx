import { type FormEvent, useId, useRef, useState } from 'react';
import { EMPTY_CALL_FORM, fieldOfError } from '../../../../src/domain/calls/callForm.ts';
import { submitError, toStorable } from '../../../../src/domain/calls/callRules.ts';
import { MESSAGES } from '../../../../src/domain/messages.ts';
import { messageOf } from '../../../shared/api/client.ts';
import { stocks } from '../../../shared/live/market.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogSheet } from '../../../ui/DialogSheet.tsx';
import { postCall } from '../api.ts';
import { CallFields } from './CallFields.tsx';

type SubmitCallDialogProps = { open: boolean; onClose(): void; onSubmitted(): void };

/** Submits one trade idea; stays open until the server has taken it. */
export function SubmitCallDialog({ open, onClose, onSubmitted }: SubmitCallDialogProps) {
  const [form, setForm] = useState(EMPTY_CALL_FORM);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const formId = useId();

  const refuse = (message: string) => {
    setError(message);
    element.current?.querySelector<HTMLElement>(`[name="${fieldOfError(message)}"]`)?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const problem = submitError(form, stocks.peek());
    if (problem !== null) return refuse(problem);
    setError(null);
    setBusy(true);
    try {
      await postCall(toStorable(form));
      onSubmitted();
      onClose();
    } catch (cause) {
      setError(messageOf(cause, MESSAGES.calls.submit));
    } finally {
      setBusy(false);
    }
  };

  return (
    <DialogSheet
      open={open}
      title="Submit Call"
      onClose={() => {
        if (!isBusy) onClose();
      }}
      footer={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" form={formId} disabled={isBusy}>
            {isBusy ? 'Submitting…' : 'Submit'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={element}
        className="call-form"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <CallFields
          form={form}
          wrong={error === null ? null : fieldOfError(error)}
          onForm={(next) => {
            setForm(next);
            setError(null);
          }}
        />
        <p className="form-error" role="alert">
          {error}
        </p>
        <p className="muted call-notice">General information only, not financial advice</p>
      </form>
    </DialogSheet>
  );
}
