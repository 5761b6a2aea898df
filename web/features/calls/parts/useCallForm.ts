import { useState } from 'react';
import { EMPTY_CALL_FORM } from '../../../../src/domain/calls/callForm.ts';
import { checkCall } from '../../../../src/domain/calls/callRules.ts';
import type { CallInput } from '../../../../src/domain/calls/types.ts';
import type { Refusal } from '../../../../src/lib/result.ts';
import { isRecord } from '../../../../src/lib/json.ts';
import { keptInput } from '../../../shared/session/interruption.ts';
import { useHeldInput } from '../../../shared/session/useHeldInput.ts';
import { refusalOf } from '../../../shared/api/client.ts';
import { stocks } from '../../../shared/live/market.ts';
import { postCall } from '../api.ts';
import { MESSAGES } from '../../../../src/domain/messages.ts';

const CALL_INPUT = 'call';

/** What was typed when a session ended under the form; null when nothing was. */
export function keptCall(): CallInput | null {
  const kept = keptInput(CALL_INPUT);
  return isRecord(kept) ? { ...EMPTY_CALL_FORM, ...kept } : null;
}

/**
 * A call while it is filled in, from an empty form on, or from what was typed when the session ended, and its submission.
 * @param onRefused called when a rule of the form or the server refuses the call
 */
export function useCallForm(onRefused: (refusal: Refusal) => void) {
  const [form, setForm] = useState(() => keptCall() ?? EMPTY_CALL_FORM);
  useHeldInput(CALL_INPUT, form === EMPTY_CALL_FORM ? undefined : form);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  const refuse = (reason: Refusal): void => {
    setRefusal(reason);
    onRefused(reason);
  };
  return {
    form,
    setForm(next: CallInput): void {
      setForm(next);
      setRefusal(null);
    },
    /** Why the call was not submitted; null while nothing is wrong. */
    refusal,
    isSubmitting,
    /** Returns whether the server has taken the call; if not, `refusal` says why. */
    async submit(): Promise<boolean> {
      const checked = checkCall(form, stocks.peek());
      if (!checked.ok) {
        // Nothing is wrong with a symbol while the list that it is looked up in is missing.
        const isListMissing = form.symbol !== '' && stocks.peek().size === 0;
        refuse(isListMissing ? { ...checked.error, field: null } : checked.error);
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
