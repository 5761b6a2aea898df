import { checkPocketed } from '../../rules/pocketed.ts';
import type { EndKind } from '../../rules/types.ts';
import { endingIds, endSoon, refusedEnd, refuseEnd, takeBack } from '../endRequests.ts';
import type { MyCall } from '../api.ts';

/** Closing and cancelling own calls, and what was refused last. */
export function useCallActions() {
  return {
    /** Null while nothing was refused. */
    refused: refusedEnd.value,
    dismissRefusal: () => refuseEnd(null),
    /** The calls that a request is under way for. */
    busyIds: endingIds.value,
    /** @returns whether a value was entered that a call can be closed with */
    mayClose({ publicId }: MyCall, pocketed: number | null): boolean {
      const checked = checkPocketed(pocketed);
      refuseEnd(checked.ok ? null : { ...checked.error, publicId });
      return checked.ok;
    },
    /** @param pocketed what the call has made, $ */
    close: (call: MyCall, pocketed: number): void => endSoon(call, { kind: 'close', pocketed }),
    cancel: (call: MyCall): void => endSoon(call, { kind: 'cancel' }),
    takeBack: (call: MyCall, kind: EndKind): void => takeBack(call, kind),
  };
}

export type CallActions = ReturnType<typeof useCallActions>;
