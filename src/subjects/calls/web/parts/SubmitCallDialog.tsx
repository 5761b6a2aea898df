import { type FormEvent, type RefObject, useId, useRef, useState, Fragment, useEffect } from 'react';
import { useWholeMarket } from '#web/live/useWatch.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { parseNumeric } from '#lib/numericInput.ts';
import type { CallInput } from '#subjects/calls/rules/types.ts';
import { CallFields } from './CallFields.tsx';
import './SubmitCallDialog.css';
import { useCallForm } from './useCallForm.ts';
import { FormError } from '#ui/FormError.tsx';
import { closeText, summariseCall } from '#subjects/calls/rules/callSummary.ts';
import type { FormNotes } from '#subjects/calls/rules/formNotes.ts';

/** The call in words, as Submit would send it; a level close to the entry is marked. */
function CallLine({ form }: { form: CallInput }) {
  const parts = summariseCall(form);
  if (parts === null) return null;
  const warning = closeText(parts);
  return (
    <p className="call-line">
      {parts.map(({ text, isClose }, index) => (
        <Fragment key={text}>
          {index > 0 && ', '}
          {isClose ? <mark>{text}</mark> : text}
        </Fragment>
      ))}
      .{warning !== null && <strong> {warning}</strong>}
    </p>
  );
}

/** A number that is still typed changes the others with every key; they are read out once it rests. */
const REST_MS = 600;

/** Reads out what the form changed by itself. */
function NotesAnnouncer({ notes }: { notes: FormNotes }) {
  const [said, setSaid] = useState('');
  const text = Object.values(notes)
    .map((note) => `${note.text}.`)
    .join(' ');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}

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
      footer={<Footer formId={formId} isSubmitting={call.isSubmitting} onCancel={onClose} />}
    >
      <form
        id={formId}
        ref={element}
        className="call-form"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <CallFormBody call={call} symbolBox={symbolBox} />
      </form>
    </DialogSheet>
  );
}

type FooterProps = { formId: string; isSubmitting: boolean; onCancel(): void };

const Footer = ({ formId, isSubmitting, onCancel }: FooterProps) => (
  <>
    <Button disabled={isSubmitting} onClick={onCancel}>
      Cancel
    </Button>
    <Button variant="primary" type="submit" form={formId} disabled={isSubmitting}>
      {isSubmitting ? 'Submitting…' : 'Submit'}
    </Button>
  </>
);

type CallFormBodyProps = {
  call: ReturnType<typeof useCallForm>;
  symbolBox: RefObject<HTMLInputElement | null>;
};

const CallFormBody = ({ call: { form, notes, refusal, setForm }, symbolBox }: CallFormBodyProps) => (
  <>
    <CallFields
      form={form}
      notes={notes}
      symbolBox={symbolBox}
      wrong={refusal?.field ?? null}
      onForm={setForm}
    />
    <NotesAnnouncer notes={notes} />
    <FormError>{refusal?.message}</FormError>
    <p className="call-notice">General information only, not financial advice</p>
    <CallLine form={form} />
  </>
);
