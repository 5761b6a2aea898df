import { ABOUT } from './pageParts.tsx';
import { formatNumber, formatSigned } from '#texts/format.ts';
import { emptyStock } from '#market/rules/stock.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { meta, stocks } from '#web/live/market.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { REGISTER_PATH } from '#web/router/routes.ts';
import { Trend } from '#ui/Trend.tsx';

/** Large companies that trade all day, as examples. */
const SHOWN = ['BHP', 'CBA', 'CSL', 'WES', 'TLS'];

export function Introduction() {
  return (
    <section className="introduction row box on-surface" aria-labelledby="introduction-title">
      <div className="introduction-text stack align-start">
        <h2 id="introduction-title">Watch the Australian market live</h2>
        <p>{ABOUT}</p>
        <a className="button button-primary" href={`#${REGISTER_PATH}`}>
          Register
        </a>
      </div>
      <LiveRows />
    </section>
  );
}

/**
 * Live rows from the public stream. They show dashes until prices arrive, so that nothing moves. Renders nothing if the
 * market has none of these stocks.
 */
function LiveRows() {
  const hasPrices = useWatch({ codes: SHOWN });
  const known = SHOWN.flatMap((code) => stocks.value.get(code) ?? []);
  if (hasPrices && known.length === 0) return null;
  const rows = hasPrices ? known : SHOWN.map(emptyStock);
  return (
    <table className="introduction-rows data-table full-width">
      <caption>
        Live prices{meta.value?.feed && <span className="muted"> · {meta.value.feed.label}</span>}
      </caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Last</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((stock) => {
          const change = stock.change_percent;
          const direction = change === null || change === 0 ? 'flat' : change > 0 ? 'up' : 'down';
          return (
            <tr key={stock.code}>
              <th scope="row">
                <b>{stock.code}</b> <span className="muted">{stock.name !== stock.code && stock.name}</span>
              </th>
              <td className="is-number">{formatNumber(livePrice(stock), 3)}</td>
              <td className="is-number">
                <Trend direction={direction}>{change === null ? '–' : `${formatSigned(change, 1)}%`}</Trend>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
