import { useState } from 'react';
import { EMPTY_CALL_FORM, pickSymbol } from '../../../../src/domain/calls/callForm.ts';
import { type FormNotes, notesOn } from '../../../../src/domain/calls/formNotes.ts';
import { livePrice } from '../../../../src/domain/market/livePrice.ts';
import { checkCall } from '../../../../src/domain/calls/callRules.ts';
import type { CallInput } from '../../../../src/domain/calls/types.ts';
import type { Refusal } from '../../../../src/lib/result.ts';
import { refusalOf } from '../../../shared/api/client.ts';
import { stocks } from '../../../shared/live/market.ts';
import { postCall } from '../api.ts';
import { MESSAGES } from '../../../../src/domain/messages.ts';

/**
 * A call while it is filled in, and its submission.
 * @param symbol what is filled in already, with the assists of specification 5; null begins with an empty form
 * @param onRefused called when a rule of the form or the server refuses the call
 */
export function useCallForm(symbol: string | null, onRefused: (refusal: Refusal) => void) {
  const [form, setForm] = useState(() =>
    symbol === null
      ? EMPTY_CALL_FORM
      : pickSymbol(EMPTY_CALL_FORM, symbol, livePrice(stocks.peek().get(symbol))),
  );
  const [notes, setNotes] = useState<FormNotes>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  const refuse = (reason: Refusal): void => {
    setRefusal(reason);
    onRefused(reason);
  };
  return {
    form,
    /** What the form changed by itself, beside its fields. */
    notes,
    /** @param asked the form as it was asked for, where the assists made another of it */
    setForm(next: CallInput, asked: CallInput = next): void {
      setForm(next);
      setNotes((before) => notesOn(before, asked, next));
      setRefusal(null);
    },
    /** Why the call was not submitted; null while nothing is wrong. */
    refusal,
    isSubmitting,
    /** Returns whether the server has taken the call; if not, `refusal` says why. */
    async submit(): Promise<boolean> {
      const checked = checkCall(form, stocks.peek());
      if (!checked.ok) {
        refuse(checked.error);
        return false;
      }
      setRefusal(null);
      setSubmitting(true);
      try {
        await postCall(checked.value);
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
