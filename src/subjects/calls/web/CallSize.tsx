import { type ReactNode, useId, useState } from 'react';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { late } from '#web/shared/lateStyles.ts';
import { formatCallPrice } from '../rules/callFormat.ts';
import { isLive } from '../rules/callRules.ts';
import { followedPosition } from '../rules/positionSize.ts';
import type { BoardCall } from './state.ts';

const SizePart = late(() => import('./shared/size/size.tsx').then((code) => code.SizePart));

type SizedCall = Pick<
  BoardCall,
  | 'symbol'
  | 'isShort'
  | 'status'
  | 'entryPrice'
  | 'targetPrice'
  | 'stopLossType'
  | 'stopLoss'
  | 'stopLevel'
  | 'stopReached'
  | 'trackingPaused'
>;

/** How many shares the user can take with a live call, in one tap. @param last the live price, AUD */
export function CallSize({ call, last }: { call: SizedCall; last: number | null }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { status, symbol, stopReached, trackingPaused } = call;
  if (!session.value.isAuthenticated || status === null || !isLive(status)) return null;
  if (stopReached !== null || trackingPaused !== null) return null;
  const position = followedPosition(call, last);
  const price = status === 'pending' ? 'its entry price' : 'the last price';
  return (
    <>
      <Button aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
        Position size
      </Button>
      {isOpen && (
        <section id={id} className="stack gap-2 full-width" aria-label={`Position size of ${symbol}`}>
          <p className="muted">
            At {price}, {formatCallPrice(position.entryPrice)}. General information only, not financial
            advice.
          </p>
          <SizePart position={position} />
        </section>
      )}
    </>
  );
}
