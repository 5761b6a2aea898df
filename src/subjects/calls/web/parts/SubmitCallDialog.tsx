import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { useWholeMarket } from '../../../../../web/live/useWatch.ts';
import { Button } from '../../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../../web/ui/DialogSheet.tsx';
import { parseNumeric } from '../../../../lib/numericInput.ts';
import type { CallInput } from '../../rules/types.ts';
import { CallLine, NotesAnnouncer } from './CallLine.tsx';
import { CallFields } from './CallFields.tsx';
import './SubmitCallDialog.css';
import { useCallForm } from './useCallForm.ts';
import { FormError } from '../../../../../web/ui/FormError.tsx';

type SubmitCallDialogProps = {
  /** What is filled in already; null, or left out, begins with an empty form. */
  symbol?: string | null;
  /** Has the focus when it closes and what it came from is gone. */
  opener?: RefObject<HTMLElement | null>;
  onClose(): void;
  onSubmitted(): void;
};

/** Submits one trade idea; stays open until the server has taken it. Any symbol may be typed, so it watches them all. */
export function SubmitCallDialog(props: SubmitCallDialogProps) {
  return useWholeMarket() && <CallDialog {...props} />;
}

/**
 * Lets a box show what the form made of the number that is still typed in it, when that is another one.
 * @returns whether there was one: then the person has not seen yet what Enter would submit
 */
function settleTyped(form: CallInput): boolean {
  const box = document.activeElement;
  if (!(box instanceof HTMLInputElement)) return false;
  const held = { entryPrice: form.entryPrice, targetPrice: form.targetPrice, stopLoss: form.stopLoss };
  const value = Object.entries(held).find(([name]) => name === box.name)?.[1];
  if (value === undefined || value === parseNumeric(box.value)) return false;
  box.blur();
  box.focus();
  return true;
}

function CallDialog({ symbol = null, opener, onClose, onSubmitted }: SubmitCallDialogProps) {
  // By its key from another screen, the place that it was opened from is gone.
  const [cameFrom] = useState(() => document.activeElement);
  const element = useRef<HTMLFormElement>(null);
  const symbolBox = useRef<HTMLInputElement>(null);
  const formId = useId();
  const call = useCallForm(symbol, ({ field }) =>
    element.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus(),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (settleTyped(call.form)) return;
    if (call.isSubmitting || !(await call.submit())) return;
    onSubmitted();
    onClose();
  };

  return (
    <DialogSheet
      open
      title="Submit Call"
      initialFocus={symbolBox}
      returnsFocus={() => (cameFrom === document.body && opener?.current) || true}
      onClose={() => {
        if (!call.isSubmitting) onClose();
      }}
      footer={
        <>
          <Button disabled={call.isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} disabled={call.isSubmitting}>
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
        <CallFields
          form={call.form}
          notes={call.notes}
          wrong={call.refusal?.field ?? null}
          symbolBox={symbolBox}
          onForm={call.setForm}
        />
        <NotesAnnouncer notes={call.notes} />
        <FormError>{call.refusal?.message}</FormError>
        <p className="call-notice">General information only, not financial advice</p>
        <CallLine form={call.form} />
      </form>
    </DialogSheet>
  );
}
