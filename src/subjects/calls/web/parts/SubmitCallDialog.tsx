import { type FormEvent, type RefObject, useId, useRef, useState, Fragment, useEffect } from 'react';
import { useWholeMarket } from '#web/live/useWatch.tsx';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { parseNumeric } from '#lib/numericInput.ts';
import type { CallInput } from '#subjects/calls/rules/types.ts';
import { CallFields } from './CallFields.tsx';
import { FormError } from '#ui/Banner.tsx';
import { closeText, summariseCall } from '#subjects/calls/rules/callSummary.ts';
import { EMPTY_CALL_FORM, type FormNotes, notesOn, pickSymbol } from '#subjects/calls/rules/callForm.ts';
import { effect } from '@preact/signals-react';
import { livePrice } from '#market/rules/livePrice.ts';
import { checkCall } from '#subjects/calls/rules/callRules.ts';
import { failed, type Refusal } from '#lib/result.ts';
import { isRecord } from '#lib/json.ts';
import { keptInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { useHeldInput } from '#subjects/accounts/web/shared/session/useHeldInput.ts';
import { refusalOf } from '#web/api/client.ts';
import { stocks } from '#web/live/market.ts';
import { uniqueName } from '#web/shared/uniqueName.ts';
import { postCall } from '../api.ts';
import { keepDraft, readDraft } from '../draft.ts';
import { MESSAGES } from '#texts/messages.ts';

/** What was typed when a session ended under the form; null when nothing was. */
function keptCall(): CallInput | null {
  const kept = keptInput('call');
  return isRecord(kept) ? { ...EMPTY_CALL_FORM, ...kept } : null;
}

/** What was typed when the page was reloaded under it, unless a call of another symbol is asked for. */
function draftOf(symbol: string | null): CallInput | null {
  const draft = readDraft();
  return symbol === null || draft?.symbol === symbol ? draft : null;
}

/** A new form, with the assists of specification 5 where the symbol is known. */
const formOf = (symbol: string | null): CallInput =>
  symbol === null
    ? EMPTY_CALL_FORM
    : pickSymbol(EMPTY_CALL_FORM, symbol, livePrice(stocks.peek().get(symbol)));

/**
 * The form as it begins, and is typed. On the way from a scanner the page may not have the stock yet when the form opens:
 * its price follows, unless somebody was quicker.
 */
function useTypedForm(symbol: string | null) {
  const [start] = useState(() => keptCall() ?? draftOf(symbol) ?? formOf(symbol));
  const [form, setForm] = useState(start);
  useEffect(() => {
    if (symbol === null || start.symbol !== symbol || start.entryPrice !== EMPTY_CALL_FORM.entryPrice) return;
    return effect(() => {
      if (livePrice(stocks.value.get(symbol)) !== null)
        setForm((now) => (now === start ? formOf(symbol) : now));
    });
  }, [symbol, start]);
  return [form, setForm] as const;
}

/** Keeps what is typed over the end of a session and a reload. */
function useKeptForm(form: CallInput): void {
  useHeldInput('call', form === EMPTY_CALL_FORM ? undefined : form);
  useEffect(() => keepDraft(form === EMPTY_CALL_FORM ? null : form), [form]);
  // Given up or sent; a reload does not come here.
  useEffect(() => () => keepDraft(null), []);
}

/** Checks a form as it would be sent. */
function checkForm(form: CallInput): ReturnType<typeof checkCall> {
  const checked = checkCall(form, stocks.peek());
  // Nothing is wrong with a symbol while the list that it is looked up in is missing.
  const isListMissing = form.symbol !== '' && stocks.peek().size === 0;
  return checked.ok || !isListMissing ? checked : failed({ ...checked.error, field: null });
}

/** Sends a call under a name of its own. @param refuse called when the server does not take it */
function useSending(refuse: (reason: Refusal) => void) {
  // Names what is about to be sent, until something of it is changed.
  const [key, setKey] = useState(uniqueName);
  const [isSubmitting, setSubmitting] = useState(false);
  return {
    isSubmitting,
    rename: () => setKey(uniqueName()),
    /** @returns whether the server has taken it */
    async send(call: Parameters<typeof postCall>[0]): Promise<boolean> {
      setSubmitting(true);
      try {
        await postCall(call, key);
        setKey(uniqueName());
        return true;
      } catch (cause) {
        refuse(refusalOf(cause, MESSAGES.calls.submit));
        return false;
      } finally {
        setSubmitting(false);
      }
    },
  };
}

/**
 * A call while it is filled in, and its submission. It begins with what was typed when the session ended.
 * @param symbol what is filled in already otherwise; null begins with an empty form
 * @param onRefused called when a rule of the form or the server refuses the call
 */
export function useCallForm(symbol: string | null, onRefused: (refusal: Refusal) => void) {
  const [form, setForm] = useTypedForm(symbol);
  useKeptForm(form);
  const [notes, setNotes] = useState<FormNotes>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const refuse = (reason: Refusal): void => {
    setRefusal(reason);
    onRefused(reason);
  };
  const { isSubmitting, rename, send } = useSending(refuse);
  return {
    form,
    /** What the form changed by itself, beside its fields. */
    notes,
    /** @param asked the form as it was asked for, where the assists made another of it */
    setForm(next: CallInput, asked: CallInput = next): void {
      setForm(next);
      rename();
      setNotes((before) => notesOn(before, asked, next));
      setRefusal(null);
    },
    /** Why the call was not submitted; null while nothing is wrong. */
    refusal,
    isSubmitting,
    /** Returns whether the server has taken the call; if not, `refusal` says why. */
    async submit(): Promise<boolean> {
      const checked = checkForm(form);
      if (!checked.ok) {
        refuse(checked.error);
        return false;
      }
      setRefusal(null);
      return send(checked.value);
    },
  };
}

/** The call in words, as Submit would send it; a level close to the entry is marked. */
function CallLine({ form }: { form: CallInput }) {
  const parts = summariseCall(form);
  if (parts === null) return null;
  const warning = closeText(parts);
  return (
    <p className="call-line box table-text on-surface pad-2-3">
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
      <form id={formId} ref={element} className="stack" noValidate onSubmit={(event) => void submit(event)}>
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
    <p className="flex-none muted small">General information only, not financial advice</p>
    <CallLine form={form} />
  </>
);
