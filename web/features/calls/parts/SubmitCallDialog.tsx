import { type FormEvent, useId, useRef } from 'react';
import { useWholeMarket } from '../../../shared/live/useWatch.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogSheet } from '../../../ui/DialogSheet.tsx';
import { CallFields } from './CallFields.tsx';
import './SubmitCallDialog.css';
import { useCallForm } from './useCallForm.ts';
import { FormError } from '../../../ui/FormError.tsx';

type SubmitCallDialogProps = {
  /** What is filled in already; null, or left out, begins with an empty form. */
  symbol?: string | null;
  onClose(): void;
  onSubmitted(): void;
};

/** Submits one trade idea; stays open until the server has taken it. Any symbol may be typed, so it watches them all. */
export function SubmitCallDialog(props: SubmitCallDialogProps) {
  return useWholeMarket() && <CallDialog {...props} />;
}

function CallDialog({ symbol = null, onClose, onSubmitted }: SubmitCallDialogProps) {
  const element = useRef<HTMLFormElement>(null);
  const formId = useId();
  const call = useCallForm(symbol, ({ field }) =>
    element.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus(),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (call.isSubmitting || !(await call.submit())) return;
    onSubmitted();
    onClose();
  };

  return (
    <DialogSheet
      open
      title="Submit Call"
      onClose={() => {
        if (!call.isSubmitting) onClose();
      }}
      footer={
        <>
          <Button disabled={call.isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" form={formId} disabled={call.isSubmitting}>
            {call.isSubmitting ? 'Submitting…' : 'Submit'}
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
        <CallFields form={call.form} wrong={call.refusal?.field ?? null} onForm={call.setForm} />
        <FormError>{call.refusal?.message}</FormError>
        <p className="call-notice">General information only, not financial advice</p>
      </form>
    </DialogSheet>
  );
}
