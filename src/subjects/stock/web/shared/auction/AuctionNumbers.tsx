import { memo, type ReactNode } from 'react';
import { type AuctionColumns, auctionPointAt } from '#market/auctions/rules/auction.ts';
import { type AuctionValues, auctionValues, flipSentences } from './auctionTexts.ts';

/** A screen reader reads no more of a drawing at once; what lies before is reached by the arrows. */
const MAX_ROWS = 20;

type AuctionNumbersProps = { code: string; columns: AuctionColumns; close: number | null };

const minuteOf = ({ time }: AuctionColumns): number => Math.floor((time.at(-1) ?? 0) / 60_000);

/** Anew once a minute: somebody may be reading it. */
const isSame = (before: AuctionNumbersProps, after: AuctionNumbersProps): boolean =>
  before.code === after.code &&
  before.close === after.close &&
  before.columns.time[0] === after.columns.time[0] &&
  minuteOf(before.columns) === minuteOf(after.columns);

/** This many of the changes, the first and the last among them, as even as they go. */
function thinnedRows({ time }: AuctionColumns): number[] {
  const last = time.length - 1;
  const rows = Math.min(MAX_ROWS, time.length);
  const places = Array.from({ length: rows }, (_, row) => Math.round((last * row) / Math.max(1, rows - 1)));
  return [...new Set(places)];
}

/** An auction as a table for screen readers. */
export const AuctionNumbers = memo(({ code, columns, close }: AuctionNumbersProps): ReactNode => {
  const rows = thinnedRows(columns).flatMap((index) => auctionPointAt(columns, index) ?? []);
  return (
    <div className="visually-hidden">
      <table>
        <caption>
          Opening auction of {code}: {rows.length} of {columns.time.length} changes
        </caption>
        <thead>
          <tr>
            {['Time', 'Match', 'Gap', 'Volume', 'Surplus'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <ChangeRow key={point.time} values={auctionValues(point, close)} />
          ))}
        </tbody>
      </table>
      <ul>
        {flipSentences(columns, MAX_ROWS).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}, isSame);

const ChangeRow = ({ values }: { values: AuctionValues }): ReactNode => (
  <tr>
    <th scope="row">{values.time}</th>
    <td>{values.price}</td>
    <td>{values.gap}</td>
    <td>{values.volume}</td>
    <td>{values.surplus}</td>
  </tr>
);
