import { type ReactNode, useRef } from 'react';
import { formatExactFigure, SURPRISES } from '#subjects/calendar/rules/figures.ts';
import type { MoveState } from '#subjects/calendar/rules/marketMoves.ts';
import { StackedTable } from '#ui/StackedTable.tsx';
import { Trend } from '#ui/Trend.tsx';
import type { EventHistory, PastRelease } from '#subjects/calendar/web/api.ts';
import { releaseDates } from './releaseDates.ts';
import { breadthText, differenceText, moveText, sigmaText } from './historyTexts.ts';
import { TakeDrawnButton } from '#web/shared/take/TakeButton.tsx';

type HistoryTableProps = { history: EventHistory; zone: string };

/** The last releases, newest first. */
export function HistoryTable({ history, zone }: HistoryTableProps): ReactNode {
  const { releases, symbol } = history;
  const dateOf = releaseDates(zone);
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className="history-scroll" tabIndex={0} role="region" aria-label="Earlier figures, table">
      <TakeDrawnButton label="Earlier figures" table={table} />
      <StackedTable ref={table} className="history-table" label="Earlier figures and what the market did">
        <thead>
          <tr>
            <th scope="col">Released</th>
            <th scope="col">Actual</th>
            <th scope="col">Consensus</th>
            <th scope="col">Surprise</th>
            <th scope="col">Market +5 min</th>
            <th scope="col">Market +30 min</th>
            <th scope="col">Breadth +30 min</th>
            {symbol !== null && <th scope="col">{symbol} +5 min</th>}
            {symbol !== null && <th scope="col">{symbol} +30 min</th>}
          </tr>
        </thead>
        <tbody>
          {releases.map((release) => (
            <Row key={release.time} release={release} date={dateOf(release.time)} history={history} />
          ))}
        </tbody>
      </StackedTable>
    </div>
  );
}

type RowProps = { release: PastRelease; date: string; history: EventHistory };

function Row({ release, date, history: { unit, symbol } }: RowProps): ReactNode {
  const { actual, consensus, corrected, potency, after5, after30, stock5, stock30 } = release;
  const figure = (value: number | null) => formatExactFigure(value, { unit, potency });
  return (
    <tr>
      <th scope="row" data-time={release.time}>
        {date}
      </th>
      <td data-heading="Actual">
        {figure(actual)}
        {corrected !== null && <span className="muted"> later corrected to {figure(corrected)}</span>}
      </td>
      <td data-heading="Consensus">{figure(consensus)}</td>
      <td data-heading="Surprise">
        <Surprise release={release} unit={unit} />
      </td>
      <MoveCell heading="Market +5 min" move={after5} />
      <MoveCell heading="Market +30 min" move={after30} />
      <td data-heading="Breadth +30 min">{breadthText(after30)}</td>
      {symbol !== null && <MoveCell heading={`${symbol} +5 min`} move={stock5} />}
      {symbol !== null && <MoveCell heading={`${symbol} +30 min`} move={stock30} />}
    </tr>
  );
}

function Surprise({ release, unit }: { release: PastRelease; unit: string | null }): ReactNode {
  const sigma = sigmaText(release);
  const side = release.surprise?.side ?? null;
  return (
    <>
      {side !== null && side !== 'asExpected' && (
        <>
          <span aria-hidden="true">{SURPRISES[side].sign} </span>
          <span className="visually-hidden">{SURPRISES[side].text}, </span>
        </>
      )}
      {differenceText(release, unit)}
      {sigma !== null && <strong> {sigma}</strong>}
    </>
  );
}

type MoveCellProps = { heading: string; move: { state: MoveState | null; change: number | null } | null };

function MoveCell({ heading, move }: MoveCellProps): ReactNode {
  const text = moveText(move);
  const change = move?.state === 'measured' ? move.change : null;
  const isMoved = change !== null && Math.abs(change) >= 0.005;
  return (
    <td data-heading={heading} className={change === null ? 'muted' : undefined}>
      {isMoved ? <Trend direction={change > 0 ? 'up' : 'down'}>{text}</Trend> : text}
    </td>
  );
}
