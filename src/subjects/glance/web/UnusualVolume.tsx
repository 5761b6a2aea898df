import { memo, type ReactNode } from 'react';
import { UNUSUAL_VOLUME } from '#market/rules/breadth.ts';
import { formatNumber } from '#texts/format.ts';
import { Button } from '#ui/Button.tsx';
import { Trend } from '#ui/Trend.tsx';
import type { Securities } from '#market/rules/securities.ts';
import { changeText, type Way, wayOf } from '../rules/glanceText.ts';
import { BUSIEST, type BusyStock } from '../rules/lists.ts';
import { showInScanner, showStock } from './showInScanner.ts';

type UnusualVolumeProps = { busiest: readonly BusyStock[]; securities: Securities | undefined };

/** The stocks whose volume is furthest above what is usual by now; each leads to its row. */
export function UnusualVolume({ busiest, securities }: UnusualVolumeProps): ReactNode {
  return (
    <section className="market-busy" aria-labelledby="market-busy">
      <header>
        <h2 id="market-busy">Unusual volume</h2>
        <Button
          disabled={busiest.length === 0}
          onClick={() => showInScanner({ side: 'unusualVolume' }, securities)}
        >
          Show all in the scanner
        </Button>
      </header>
      {busiest.length === 0 ? (
        <p className="market-none">No stock has {UNUSUAL_VOLUME} times its usual volume.</p>
      ) : (
        <table>
          <caption className="visually-hidden">The {BUSIEST} stocks of the highest relative volume</caption>
          <thead>
            <tr>
              <th scope="col">Stock</th>
              <th scope="col">Rel Vol</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {busiest.map((stock) => (
              <Row key={stock.code} {...saidOf(stock)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

type RowProps = { code: string; name: string; volume: string; change: string; way: Way };

const saidOf = ({ code, name, relativeVolume, change }: BusyStock): RowProps => ({
  code,
  name,
  volume: formatNumber(relativeVolume, 2),
  change: changeText(change),
  way: wayOf(change),
});

/** By what it says, so that one which says the same is not drawn again. */
const Row = memo(function Row({ code, name, volume, change, way }: RowProps): ReactNode {
  return (
    <tr>
      <th scope="row">
        <button type="button" className="market-stock" title={name} onClick={() => showStock(code)}>
          <b>{code}</b> <span className="muted">{name}</span>
        </button>
      </th>
      <td>{volume}</td>
      <td>
        <Trend direction={way}>{change}</Trend>
      </td>
    </tr>
  );
});
