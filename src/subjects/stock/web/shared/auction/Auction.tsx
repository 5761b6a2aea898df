import { type ReactNode, useState } from 'react';
import { formatTime } from '../../../../../texts/format.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { marketNow, stocks } from '../../../../../../web/live/market.ts';
import { useWatch } from '../../../../../../web/live/useWatch.ts';
import './Auction.css';
import { AuctionDrawing } from './AuctionDrawing.tsx';
import { AuctionNumbers } from './AuctionNumbers.tsx';
import { auctionSpan, lastOf } from './auctionPlan.ts';
import { useAuction } from './useAuction.ts';

const LAST_MINUTES = 15;

/** Where nothing is known of so long a beginning, the drawing says so. */
const LATE_MS = 5 * 60_000;

/** A stock's opening auction as it forms, from 07:00 or its last minutes. */
export function Auction({ code }: { code: string }): ReactNode {
  useWatch({ codes: [code] });
  const { auction, retry } = useAuction(code);
  const [isShort, setShort] = useState(false);
  const title = <h3 className="auction-title">Opening auction</h3>;
  if (auction.kind === 'loading') {
    return (
      <section className="auction" aria-label={`Opening auction of ${code}`} aria-busy="true">
        {title}
        <p className="auction-note" role="status">
          Loading the auction…
        </p>
      </section>
    );
  }
  if (auction.kind === 'failed') {
    return (
      <section className="auction" aria-label={`Opening auction of ${code}`}>
        {title}
        <p className="auction-note" role="alert">
          {auction.sentence} <Button onClick={retry}>Retry</Button>
        </p>
      </section>
    );
  }
  const { date, columns } = auction;
  const first = columns.time[0];
  if (first === undefined) {
    return (
      <section className="auction" aria-label={`Opening auction of ${code}`}>
        {title}
        <p className="auction-none">No auction is known for {code} today.</p>
      </section>
    );
  }
  const whole = auctionSpan(date, columns);
  const stock = stocks.value.get(code);
  const last = columns.time.at(-1) ?? first;
  const now = Math.max(last, Math.min(marketNow(), whole.until));
  // What an auction came to stands until the open; a running one until now.
  const until = stock?.status === 'Pre Open' ? now : whole.until;
  const span = isShort ? lastOf({ from: whole.from, until: now }, LAST_MINUTES) : whole;
  const isLate = first - whole.from > LATE_MS;
  return (
    <section className="auction" aria-label={`Opening auction of ${code}`}>
      <header className="auction-head">
        {title}
        {isLate && <span className="auction-since">First known at {formatTime(first)}</span>}
        <Button variant="quiet" aria-pressed={isShort} onClick={() => setShort(!isShort)}>
          Last {LAST_MINUTES} min
        </Button>
      </header>
      <AuctionDrawing code={code} columns={columns} span={span} until={until} close={stock?.close ?? null} />
      <AuctionNumbers code={code} columns={columns} close={stock?.close ?? null} />
    </section>
  );
}
