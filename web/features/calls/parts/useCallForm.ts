import { useState } from 'react';
import { EMPTY_CALL_FORM, fieldOfError } from '../../../../src/domain/calls/callForm.ts';
import { submitError, toStorable } from '../../../../src/domain/calls/callRules.ts';
import type { CallInput } from '../../../../src/domain/calls/types.ts';
import { messageOf } from '../../../shared/api/client.ts';
import { stocks } from '../../../shared/live/market.ts';
import { postCall } from '../api.ts';
import { MESSAGES } from '../../../../src/domain/messages.ts';

/**
 * A call while it is filled in, from an empty form on, and its submission.
 * @param onRefused gets the field that a rule of the form refuses
 */
export function useCallForm(onRefused: (field: string) => void) {
  const [form, setForm] = useState(EMPTY_CALL_FORM);
  const [error, setError] = useState<string | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  return {
    form,
    setForm(next: CallInput): void {
      setForm(next);
      setError(null);
    },
    error,
    /** The field that the error belongs to. */
    wrong: error === null ? null : fieldOfError(error),
    isSubmitting,
    /** Returns whether the server has taken the call; if not, `error` says why. */
    async submit(): Promise<boolean> {
      const problem = submitError(form, stocks.peek());
      setError(problem);
      if (problem !== null) {
        onRefused(fieldOfError(problem));
        return false;
      }
      setSubmitting(true);
      try {
        await postCall(toStorable(form));
        return true;
      } catch (cause) {
        setError(messageOf(cause, MESSAGES.calls.submit));
        return false;
      } finally {
        setSubmitting(false);
      }
    },
  };
}
