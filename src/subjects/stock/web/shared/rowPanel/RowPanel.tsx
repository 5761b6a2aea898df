import type { ReactNode } from 'react';
import { AuctionPanel } from '../auction/AuctionPanel.tsx';
import { chooseTimeframe, chosenTimeframe, StockChart } from '../chart/StockChart.tsx';
import type { ScannerRow } from '#subjects/scanners/rules/membership.ts';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { NewsRow, type NewsRowProps } from '#subjects/announcements/web/shared/NewsRow.tsx';
import { PopOutChart } from '#web/windows/PopOutChart.tsx';
import './RowPanel.css';

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
        <div className="row-panel-pictures">
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
