import { checkPocketed } from '../../../../src/domain/calls/callRules.ts';
import type { MyCall } from '../readCalls.ts';
import {
  dueInTime,
  endingIds,
  endSoon,
  pendingEnds,
  refusedEnd,
  refuseEnd,
  takeBack,
} from '../pendingEnds.ts';

/** Closing and cancelling own calls, what is about to end, and what was refused last. */
export function useCallActions() {
  return {
    /** Null while nothing was refused. */
    refused: refusedEnd.value,
    dismissRefusal: () => refuseEnd(null),
    /** The calls that a request is under way for. */
    busyIds: endingIds.value,
    pending: pendingEnds.value,
    /** @returns whether a value was entered that a call can be closed with */
    mayClose({ publicId }: MyCall, pocketed: number | null): boolean {
      const checked = checkPocketed(pocketed);
      refuseEnd(checked.ok ? null : { ...checked.error, publicId });
      return checked.ok;
    },
    /** @param pocketed what the call has made, $ */
    close({ publicId, symbol }: MyCall, pocketed: number): void {
      endSoon({ publicId, symbol, kind: 'close', pocketed, dueAt: dueInTime() });
    },
    cancel({ publicId, symbol }: MyCall): void {
      endSoon({ publicId, symbol, kind: 'cancel', dueAt: dueInTime() });
    },
    takeBack: ({ publicId }: MyCall) => takeBack(publicId),
  };
}

export type CallActions = ReturnType<typeof useCallActions>;
