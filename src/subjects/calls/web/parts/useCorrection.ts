import { useState } from 'react';
import type { Mark, MarkValue } from '../../rules/types.ts';
import { MESSAGES } from '../../../../texts/messages.ts';
import { isRecord } from '../../../../lib/json.ts';
import type { Refusal } from '../../../../lib/result.ts';
import { refusalOf } from '../../../../../web/api/client.ts';
import { correctCall, type SentMarks } from '../api.ts';
import type { BoardCall } from '../api.ts';
import { reloadAll } from '../state.ts';

/** The marks that are a price, or a trade at one. */
type PriceMark = Exclude<Mark, 'isFollowed'>;

const TRADES: readonly PriceMark[] = ['entryTrade', 'exitTrade', 'targetReached', 'stopReached'];

/** The marks of a call that it can have, as they are recorded. */
function recordedOf(call: BoardCall): [PriceMark, MarkValue][] {
  const exit: [PriceMark, MarkValue][] = [
    ['exitTrade', call.exitTrade],
    ['priceAtClose', call.priceAtClose],
  ];
  return [
    ['entryTrade', call.entryTrade],
    ...(call.closedAt === null ? [] : exit),
    ['targetReached', call.targetReached],
    ['stopReached', call.stopReached],
    ['highestSinceFill', call.highestSinceFill ?? null],
    ['best', call.best ?? null],
    ['worst', call.worst ?? null],
  ];
}

const priceOf = (value: MarkValue): number | null =>
  isRecord(value) ? value.price : typeof value === 'number' ? value : null;

/**
 * A correction while it is filled in, and its sending.
 * @param onSaved called when the server has taken it and the board was loaded again
 */
export function useCorrection(call: BoardCall, onSaved: () => void) {
  const recorded = recordedOf(call);
  const wasFollowed = call.trackingPaused === null;
  const [changed, setChanged] = useState<Partial<Record<PriceMark, number | null>>>({});
  const [isFollowed, setFollowed] = useState(wasFollowed);
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSending, setSending] = useState(false);

  function marks(): SentMarks {
    const sent: SentMarks = isFollowed === wasFollowed ? {} : { isFollowed };
    for (const [mark, value] of recorded) {
      const price = changed[mark];
      if (price === undefined || price === priceOf(value)) continue;
      sent[mark] = price === null ? null : TRADES.includes(mark) ? { price } : price;
    }
    return sent;
  }

  return {
    prices: recorded.map(([mark, value]) => {
      const price = changed[mark];
      return { mark, recorded: value, price: price === undefined ? priceOf(value) : price };
    }),
    setPrice(mark: PriceMark, price: number | null): void {
      setChanged((before) => ({ ...before, [mark]: price }));
      setRefusal(null);
    },
    isFollowed,
    setFollowed,
    reason,
    setReason(text: string): void {
      setReason(text);
      setRefusal(null);
    },
    /** Why it was not taken; null while nothing is wrong. */
    refusal,
    isSending,
    async send(): Promise<void> {
      setRefusal(null);
      setSending(true);
      try {
        await correctCall(call.publicId, reason, marks());
        await reloadAll(false);
        onSaved();
      } catch (cause) {
        setRefusal(refusalOf(cause, MESSAGES.calls.correct));
      } finally {
        setSending(false);
      }
    },
  };
}
