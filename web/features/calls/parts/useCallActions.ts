import { useState } from 'react';
import { closeError } from '../../../../src/domain/calls/callRules.ts';
import type { MyCall } from '../readCalls.ts';
import { messageOf } from '../../../shared/api/client.ts';
import { cancelCall, closeCall } from '../api.ts';
import { MESSAGES } from '../../../../src/domain/messages.ts';
import { reloadAll } from '../state.ts';

/** Closing and cancelling own calls, and what was refused last. */
export function useCallActions() {
  const [error, setError] = useState<string | null>(null);
  const [busyId, setBusyId] = useState<MyCall['publicId'] | null>(null);

  /**
   * @param request gives null, or the sentence that says why nothing was done
   * @param failed the error to show when the request fails without a sentence of its own
   */
  const run = async (call: MyCall, request: () => Promise<string | null>, failed: string) => {
    setError(null);
    setBusyId(call.publicId);
    try {
      const conflict = await request();
      await reloadAll(true);
      setError(conflict);
    } catch (cause) {
      setError(messageOf(cause, failed));
    } finally {
      setBusyId(null);
    }
  };

  return {
    error,
    dismissError: () => setError(null),
    /** The call that a request is under way for. */
    busyId,
    /** @param pocketed what the call has made, $; null while nothing is entered */
    close(call: MyCall, pocketed: number | null): void {
      const problem = closeError(pocketed);
      if (problem !== null || pocketed === null) return setError(problem);
      void run(call, () => closeCall(call.publicId, pocketed), MESSAGES.calls.close);
    },
    cancel(call: MyCall): void {
      void run(call, () => cancelCall(call.publicId), MESSAGES.calls.cancel);
    },
  };
}
