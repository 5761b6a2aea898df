import './visitorScanner.css';
import { useEffect, useState } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { lastSessionMessage } from '#market/rules/sessionClock.ts';
import { defaultFilters } from '#market/scanners/rules/filters.ts';
import { rowsFor } from '#market/scanners/rules/membership.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { DASH, formatNumber, formatShort, formatSigned, formatTime } from '#texts/format.ts';
import { Button } from '../ui/Button.tsx';
import { SkeletonRows } from '../ui/SkeletonRows.tsx';
import { Trend } from '../ui/Trend.tsx';
import { FeedPill } from '../live/FeedPill.tsx';
import { dataAgeMs, isStreamLost, marketNow, meta, retryLive, stocks, streamState } from '../live/market.ts';
import { arePricesOld, sessionPhase } from '../live/marketHours.ts';
import { lostMessage } from '../live/staleness.ts';
import { useWatch } from '../live/useWatch.tsx';
import { route } from '../router/router.ts';
import { LOGIN_PATH, REGISTER_PATH } from '../router/routes.ts';

const MAX_ROWS = 8;
/** Rows move at most this often, ms; their prices change at any time. */
const SORT_EVERY_MS = 5000;

type View = {
  title: string;
  heads: readonly [string, string, string];
  scanners: readonly ScannerKey[];
  price(stock: Stock): number | null;
  percent(stock: Stock): number | null;
  value(stock: Stock): number | null;
  empty: string;
};

const BEFORE_OPEN: View = {
  title: 'Top Gaps',
  heads: ['Match Price', 'Gap %', 'Match Value'],
  scanners: ['preMarket'],
  price: (stock) => stock.match_price,
  percent: (stock) => stock.indicativeChangePercent,
  value: (stock) => stock.match_value,
  empty: 'The market opens at 10:00 Sydney time.',
};

const SINCE_OPEN: View = {
  title: 'Top Movers',
  heads: ['Price', 'Change', 'Value'],
  scanners: ['intraDaySmall', 'intraDayMidLarge', 'intraDayLargeCap'],
  price: livePrice,
  percent: (stock) => stock.change_percent,
  value: (stock) => stock.value,
  empty: 'No stock is up at the moment.',
};

const currentView = (): View =>
  sessionPhase.value === 'pre-open' || sessionPhase.value === 'ospa' ? BEFORE_OPEN : SINCE_OPEN;

function topCodes({ scanners, percent }: View): string[] {
  const known = meta.peek();
  if (known === null) return [];
  const options = {
    filters: defaultFilters(false),
    ignoreStatus: known.flags.ignoreStatus,
    today: known.dateToday,
  };
  return scanners
    .flatMap((key) => rowsFor(key, stocks.peek().values(), options))
    .sort((a, b) => (percent(b) ?? 0) - (percent(a) ?? 0))
    .slice(0, MAX_ROWS)
    .map(({ code }) => code);
}

/** The rows to show with their newest prices; null until the market is known. */
function useTop(view: View): readonly Stock[] | null {
  const hasStocks = useWatch({ scanners: [...view.scanners] });
  const [codes, setCodes] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!hasStocks) return;
    const sort = () => setCodes(topCodes(view));
    sort();
    const timer = setInterval(sort, SORT_EVERY_MS);
    return () => clearInterval(timer);
  }, [hasStocks, view]);
  if (!hasStocks || meta.value === null) return null;
  return codes.flatMap((code) => stocks.value.get(code) ?? []);
}

/**
 * The strongest stocks for visitors, read only and without links to screens that need a login. Its prices are those of
 * the page's public stream, so it sends no request of its own.
 */
export function VisitorScanner() {
  const view = currentView();
  const rows = useTop(view);
  const path = route.value?.path;
  return (
    <section className="visitor-scanner stack gap-2" aria-labelledby="visitor-scanner-title">
      <header className="row gap-2">
        <h2 id="visitor-scanner-title">{view.title}</h2>
        <FeedPill />
        <MarketTime />
      </header>
      <Warning />
      {rows === null ? <Missing /> : <Rows view={view} rows={rows} />}
      <p className="row gap-2-3">
        {path !== REGISTER_PATH && (
          <a className="button" href={`#${REGISTER_PATH}`}>
            Register
          </a>
        )}
        {path !== LOGIN_PATH && <a href={`#${LOGIN_PATH}`}>Login to access scanners</a>}
      </p>
    </section>
  );
}

function MarketTime() {
  const known = meta.value;
  if (known === null) return null;
  const now = marketNow();
  return (
    <span className="muted small">
      {lastSessionMessage(known.dateToday, now) ?? `${formatTime(now)} Sydney`}
    </span>
  );
}

const Warning = () =>
  arePricesOld.value && <p className="bar tone-stale small">{lostMessage(dataAgeMs.value)}</p>;

const Missing = () =>
  isStreamLost.value || streamState.value === 'disconnected' ? (
    <div className="visitor-rows stack gap-2 align-start">
      <p>Live prices can’t be loaded.</p>
      <Button onClick={retryLive}>Retry</Button>
    </div>
  ) : (
    <div className="visitor-rows">
      <SkeletonRows rows={MAX_ROWS} label="Loading prices…" />
    </div>
  );

function Rows({ view, rows }: { view: View; rows: readonly Stock[] }) {
  return (
    <div className="visitor-rows">
      <table className="data-table full-width" aria-label={view.title}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {view.heads.map((head) => (
              <th key={head} scope="col" className="is-number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((stock) => (
            <tr key={stock.code}>
              <th scope="row">
                <b>{stock.code}</b> <span className="muted">{stock.name !== stock.code && stock.name}</span>
              </th>
              <td className="is-number">{formatNumber(view.price(stock), 3)}</td>
              <td className="is-number">
                <Percent value={view.percent(stock)} />
              </td>
              <td className="is-number">{shortValue(view.value(stock))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="muted">{view.empty}</p>}
    </div>
  );
}

const shortValue = (value: number | null): string => (value === null ? DASH : `$${formatShort(value)}`);

function Percent({ value }: { value: number | null }) {
  const direction = value === null || value === 0 ? 'flat' : value > 0 ? 'up' : 'down';
  return <Trend direction={direction}>{value === null ? DASH : `${formatSigned(value, 1)}%`}</Trend>;
}
