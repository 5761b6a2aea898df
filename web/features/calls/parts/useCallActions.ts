import { useState } from 'react';
import { checkPocketed } from '../../../../src/domain/calls/callRules.ts';
import { MESSAGES } from '../../../../src/domain/messages.ts';
import type { Refusal } from '../../../../src/lib/result.ts';
import { refusalOf } from '../../../shared/api/client.ts';
import { cancelCall, closeCall } from '../api.ts';
import type { MyCall } from '../readCalls.ts';
import { reloadAll } from '../state.ts';

/** What was refused, and for which call. */
export type RefusedAction = Refusal & { publicId: MyCall['publicId'] };

/** Closing and cancelling own calls, and what was refused last. */
export function useCallActions() {
  const [refused, setRefused] = useState<RefusedAction | null>(null);
  const [busyId, setBusyId] = useState<MyCall['publicId'] | null>(null);

  const refuse = ({ publicId }: MyCall, refusal: Refusal | null): void =>
    setRefused(refusal && { ...refusal, publicId });

  /**
   * @param request gives null, or why nothing was done
   * @param failed the sentence for a request that fails without one of its own
   */
  const run = async (call: MyCall, request: () => Promise<Refusal | null>, failed: string) => {
    setRefused(null);
    setBusyId(call.publicId);
    try {
      const conflict = await request();
      await reloadAll(true);
      refuse(call, conflict);
    } catch (cause) {
      refuse(call, refusalOf(cause, failed));
    } finally {
      setBusyId(null);
    }
  };

  return {
    /** Null while nothing was refused. */
    refused,
    dismissRefusal: () => setRefused(null),
    /** The call that a request is under way for. */
    busyId,
    /** @param pocketed what the call has made, $; null while nothing is entered */
    close(call: MyCall, pocketed: number | null): void {
      const checked = checkPocketed(pocketed);
      if (!checked.ok) refuse(call, checked.error);
      else void run(call, () => closeCall(call.publicId, checked.value), MESSAGES.calls.close);
    },
    cancel(call: MyCall): void {
      void run(call, () => cancelCall(call.publicId), MESSAGES.calls.cancel);
    },
  };
}
