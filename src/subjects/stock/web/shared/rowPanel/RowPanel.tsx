import { type ReactNode, type ComponentType, useEffect, useState } from 'react';
import { chooseTimeframe, chosenTimeframe, StockChart } from '../chart/StockChart.tsx';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { NewsRow, type NewsRowProps } from './NewsRow.tsx';
import { PopOutChart } from '#web/windows/PopOutChart.tsx';
import { Button } from '#ui/Button.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';

let code: ComponentType<{ code: string }> | null = null;

/** Fetches the code of the drawing. @throws Error when it does not come */
export async function loadAuction(): Promise<void> {
  code = (await withStyles(import('../auction/Auction.tsx'))).Auction;
}

/** A stock's opening auction, whose drawing comes when it is needed. Not `lazy`: when it does not come, the row stays. */
export function AuctionPanel(props: { code: string }): ReactNode {
  const [Auction, setAuction] = useState(() => code);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (Auction !== null || hasFailed) return;
    let isShown = true;
    loadAuction().then(
      () => isShown && setAuction(() => code),
      () => isShown && setFailed(true),
    );
    return () => {
      isShown = false;
    };
  }, [Auction, hasFailed]);
  if (Auction !== null) return <Auction key={props.code} code={props.code} />;
  if (!hasFailed) return <p role="status">Loading the auction…</p>;
  return (
    <p role="alert">
      The auction could not be loaded. <Button onClick={() => setFailed(false)}>Retry</Button>
    </p>
  );
}

/** Of the chart in a row, px: what waits for it has the same, so that the rows below do not jump. */
const CHART_HEIGHT = 280;

/** Whether the row is about the opening auction: while it forms, and in the table of how it ended. */
const hasAuction = ({ status, snapshotCapturedAt }: ScannerRow): boolean =>
  status === 'Pre Open' || snapshotCapturedAt !== undefined;

/**
 * What opens under a row: the stock's chart, in the pre-open its auction too, and beside or below them its news. What breaks
 * in one leaves the others, and the table around them, as they are.
 */
export function RowPanel(props: NewsRowProps): ReactNode {
  const { row } = props;
  return (
    <div className="row-panel">
      <div className="row-panel-parts">
        <div className="row-panel-pictures wrap gap-3">
          {hasAuction(row) && (
            <div className="row-panel-picture">
              <RetryBoundary sentence={`The auction of ${row.code} could not be shown.`}>
                <AuctionPanel code={row.code} />
              </RetryBoundary>
            </div>
          )}
          <div className="row-panel-picture">
            <RetryBoundary sentence={`The chart of ${row.code} could not be shown.`}>
              <StockChart
                key={row.code}
                code={row.code}
                stock={row}
                tf={chosenTimeframe.value}
                onTimeframe={chooseTimeframe}
                height={CHART_HEIGHT}
                tools={<PopOutChart code={row.code} />}
              />
            </RetryBoundary>
          </div>
        </div>
        <RetryBoundary sentence={`The news of ${row.code} could not be shown.`}>
          <NewsRow {...props} />
        </RetryBoundary>
      </div>
    </div>
  );
}
