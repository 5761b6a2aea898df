import { effect } from '@preact/signals-react';
import { useEffect, useState } from 'react';
import { EMPTY_CALL_FORM, pickSymbol } from '#subjects/calls/rules/callForm.ts';
import { type FormNotes, notesOn } from '#subjects/calls/rules/formNotes.ts';
import { livePrice } from '#market/rules/livePrice.ts';
import { checkCall } from '#subjects/calls/rules/callRules.ts';
import type { CallInput } from '#subjects/calls/rules/types.ts';
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
