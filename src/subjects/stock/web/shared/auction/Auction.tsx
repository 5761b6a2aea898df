import { type ReactNode, useState, useEffect, useMemo, memo } from 'react';
import { formatTime } from '#texts/format.ts';
import { Button } from '#ui/Button.tsx';
import { isStreamBack, marketNow, stocks } from '#web/live/market.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { AuctionDrawing, type AuctionValues, auctionValues, flipSentences } from './AuctionDrawing.tsx';
import { type AuctionKind, auctionPart, auctionSpan, lastOf } from './auctionPlan.ts';
import { effect } from '@preact/signals-react';
import {
  addAuctionPoint,
  auctionAnswer,
  type AuctionColumns,
  auctionPointAt,
  auctionPointOf,
} from '#market/auctions/rules/auction.ts';
import { phaseAt } from '#market/rules/sessionClock.ts';
import type { Stock } from '#market/rules/stock.ts';
import { readerOf, request } from '#web/api/client.ts';
import { marketEpoch } from '#web/live/marketEpoch.ts';

/** Limit of rows in the table for screen readers; the arrows reach the others. */
const MAX_ROWS = 20;

type AuctionNumbersProps = { name: string; code: string; columns: AuctionColumns; close: number | null };

const minuteOf = ({ time }: AuctionColumns): number => Math.floor((time.at(-1) ?? 0) / 60_000);

/** Updates once a minute, because a screen reader may be reading the table. */
const isSame = (before: AuctionNumbersProps, after: AuctionNumbersProps): boolean =>
  before.code === after.code &&
  before.close === after.close &&
  before.columns.time[0] === after.columns.time[0] &&
  minuteOf(before.columns) === minuteOf(after.columns);

function thinnedRows({ time }: AuctionColumns): number[] {
  const last = time.length - 1;
  const rows = Math.min(MAX_ROWS, time.length);
  const places = Array.from({ length: rows }, (_, row) => Math.round((last * row) / Math.max(1, rows - 1)));
  return [...new Set(places)];
}

const AuctionNumbers = memo(({ name, code, columns, close }: AuctionNumbersProps): ReactNode => {
  const rows = thinnedRows(columns).flatMap((index) => auctionPointAt(columns, index) ?? []);
  return (
    <div className="visually-hidden">
      <table>
        <caption>
          {name} of {code}: {rows.length} of {columns.time.length} changes
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

/** @throws ApiError with the sentence to show; or the error of `fetch` on abort */
const fetchAuction = (symbol: string, signal: AbortSignal) =>
  request('GET /api/data/auction', { query: { symbol }, signal, read: readerOf(auctionAnswer) });

function withStock(columns: AuctionColumns, stock: Stock): AuctionColumns {
  const now = marketNow();
  const point = auctionPointOf(stock, now, phaseAt(now).phase);
  if (!point) return columns;
  const { time, price, volume, surplus } = columns;
  const next = { time: [...time], price: [...price], volume: [...volume], surplus: [...surplus] };
  return addAuctionPoint(next, point).isNew ? next : columns;
}

type Known = { date: string; columns: AuctionColumns };

/** Counts times when the window was hidden or disconnected, in which the stream may have skipped changes. */
function useGaps(): number {
  const [gaps, setGaps] = useState(0);
  useEffect(() => {
    const shown = () => {
      if (!document.hidden) setGaps((count) => count + 1);
    };
    document.addEventListener('visibilitychange', shown);
    const stop = effect(() => {
      if (isStreamBack.value) setGaps((count) => count + 1);
    });
    return () => {
      document.removeEventListener('visibilitychange', shown);
      stop();
    };
  }, []);
  return gaps;
}

/**
 * The auction of a stock: loads the past once, then extends it from the stream. It loads again in another epoch and
 * after gaps.
 */
function useAuction(code: string) {
  const { data, isCurrent, isLoading, error, reload } = useLoaded(
    async (signal) => {
      // The answer contains what this window knew when it made the request, so only later quotes are added.
      const seen = stocks.peek().get(code);
      return { ...(await fetchAuction(code, signal)), seen };
    },
    'The auction could not be loaded.',
    // If the new answer fails, values of another day must not stay.
    { of: `${code} ${marketEpoch.value ?? ''}`, again: useGaps() },
  );
  const [grown, setGrown] = useState<{ of: unknown; columns: AuctionColumns } | null>(null);
  useEffect(() => {
    if (data === null) return;
    let { columns, seen } = data;
    return effect(() => {
      const stock = stocks.value.get(code);
      if (!stock || stock === seen) return;
      seen = stock;
      columns = withStock(columns, stock);
      setGrown({ of: data, columns });
    });
  }, [code, data]);
  const auction: Known | null =
    data === null || !isCurrent
      ? null
      : { date: data.date, columns: grown?.of === data ? grown.columns : data.columns };
  return { auction, error: isLoading ? null : error, retry: () => void reload() };
}

const LAST_MINUTES = 15;

/** If the beginning is unknown for longer than this (ms), the drawing says so. */
const LATE_MS = 5 * 60_000;

const NAMES: Readonly<Record<AuctionKind, string>> = { open: 'Opening auction', close: 'Closing auction' };

const Title = ({ kind }: { kind: AuctionKind }): ReactNode => (
  <h3 className="grow muted small strong nowrap">{NAMES[kind]}</h3>
);

/** The auction that a stock is in, or was in last. */
const kindOf = ({ status }: Pick<Stock, 'status'>): AuctionKind =>
  status === 'Pre Open' || status === 'Open' ? 'open' : 'close';

/** @param kind omit for the auction that the stock is in */
export function Auction({ code, kind: given }: { code: string; kind?: AuctionKind }): ReactNode {
  useWatch({ codes: [code] });
  const { auction, error, retry } = useAuction(code);
  const [isShort, setShort] = useState(false);
  const stock = stocks.value.get(code);
  const kind = given ?? (stock ? kindOf(stock) : 'open');
  return (
    <section
      className="auction stack"
      aria-label={`${NAMES[kind]} of ${code}`}
      aria-busy={(auction === null && error === null) || undefined}
    >
      {auction !== null ? (
        <KnownAuction code={code} kind={kind} auction={auction} isShort={isShort} onShort={setShort} />
      ) : error === null ? (
        <>
          <Title kind={kind} />
          <p className="muted small" role="status">
            Loading the auction…
          </p>
        </>
      ) : (
        <>
          <Title kind={kind} />
          <p className="muted small" role="alert">
            {error} <Button onClick={retry}>Retry</Button>
          </p>
        </>
      )}
    </section>
  );
}

type KnownAuctionProps = {
  code: string;
  kind: AuctionKind;
  auction: Known;
  isShort: boolean;
  onShort(isShort: boolean): void;
};

function KnownAuction({ code, kind, auction, isShort, onShort }: KnownAuctionProps): ReactNode {
  const { date } = auction;
  const columns = useMemo(() => auctionPart(auction.columns, date, kind), [auction.columns, date, kind]);
  const [first] = columns.time;
  // A source may name the closing auction without its match prices.
  if (first === undefined || columns.price.every((price) => price === null)) {
    return (
      <>
        <Title kind={kind} />
        <p className="auction-none muted small">There is no auction data for {code} today.</p>
      </>
    );
  }
  const whole = auctionSpan(date, columns, kind);
  const stock = stocks.value.get(code);
  const last = columns.time.at(-1) ?? first;
  const now = Math.max(last, Math.min(marketNow(), whole.until));
  // After the auction its result is valid until its end; before that, values are valid until now.
  const until = stock?.status === 'Pre Open' || stock?.status === 'CSPA' ? now : whole.until;
  const span = isShort ? lastOf({ from: whole.from, until: now }, LAST_MINUTES) : whole;
  const isLate = first - whole.from > LATE_MS;
  const shown = { code, name: NAMES[kind], columns, close: stock?.close ?? null };
  return (
    <>
      <header className="row">
        <Title kind={kind} />
        {isLate && <span className="muted small">First received at {formatTime(first)}</span>}
        {kind === 'open' && (
          <button type="button" className="tool" aria-pressed={isShort} onClick={() => onShort(!isShort)}>
            Last {LAST_MINUTES} min
          </button>
        )}
      </header>
      <AuctionDrawing {...shown} span={span} until={until} />
      <AuctionNumbers {...shown} />
    </>
  );
}
