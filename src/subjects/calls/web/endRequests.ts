import { type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '#texts/messages.ts';
import type { EndKind } from '../rules/types.ts';
import type { Refusal } from '#lib/result.ts';
import { refusalOf } from '#web/api/client.ts';
import { sayBriefly } from '#web/shared/saved.ts';
import { cancelCall, closeCall, keepCall } from './api.ts';
import type { MyCall } from './api.ts';
import { reloadAll } from './state.ts';

/** What was refused, and for which call. */
export type RefusedEnd = Refusal & { publicId: MyCall['publicId'] };

type Named = Pick<MyCall, 'publicId' | 'symbol'>;

const sending = signal<ReadonlySet<MyCall['publicId']>>(new Set());
const refusal = signal<RefusedEnd | null>(null);

/** The calls that a request is under way for. */
export const endingIds: ReadonlySignal<ReadonlySet<MyCall['publicId']>> = sending;
/** What was refused last; null while nothing was. */
export const refusedEnd: ReadonlySignal<RefusedEnd | null> = refusal;
export const refuseEnd = (refused: RefusedEnd | null): void => {
  refusal.value = refused;
};

/** Asks the server, and shows what became of it; after a refusal, which the dialog may not be there to show, in words. */
async function request(
  { publicId, symbol }: Named,
  ask: () => Promise<Refusal | null>,
  { failed, notDone }: { failed: string; notDone: string },
): Promise<void> {
  sending.value = new Set(sending.peek()).add(publicId);
  refusal.value = null;
  try {
    const conflict = await ask();
    await reloadAll(true);
    refusal.value = conflict && { ...conflict, publicId };
  } catch (cause) {
    refusal.value = { ...refusalOf(cause, failed), publicId };
    sayBriefly(`${symbol} was not ${notDone}: ${refusal.peek()?.message ?? failed}`);
  } finally {
    sending.value = new Set([...sending.peek()].filter((one) => one !== publicId));
  }
}

/**
 * Asks the server to end a call in ten seconds. It holds the request, so a page that is loaded again shows what is left of
 * them; the price that counts is the one of then: nobody gets to choose afterwards between two prices.
 * @param end `pocketed` in AUD
 */
export function endSoon(call: Named, end: { kind: 'close'; pocketed: number } | { kind: 'cancel' }): void {
  const { publicId } = call;
  const ask = () => (end.kind === 'close' ? closeCall(publicId, end.pocketed) : cancelCall(publicId));
  void request(call, ask, {
    failed: end.kind === 'close' ? MESSAGES.calls.close : MESSAGES.calls.cancel,
    notDone: end.kind === 'close' ? 'closed' : 'cancelled',
  });
}

const NOT_KEPT: Readonly<Record<EndKind, string>> = {
  close: 'The close could not be taken back.',
  cancel: 'The cancellation could not be taken back.',
};

/** Leaves a call as it is, whose end was asked for. */
export function takeBack(call: Named, kind: EndKind): void {
  const failed = NOT_KEPT[kind];
  void request(call, () => keepCall(call.publicId, failed), { failed, notDone: 'kept' });
}
