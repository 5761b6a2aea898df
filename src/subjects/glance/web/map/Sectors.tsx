import { type ReactNode, useState } from 'react';
import { formatNumber } from '#texts/format.ts';
import { meta } from '#web/live/market.ts';
import { sourceName } from '#web/live/staleness.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import type { Securities } from '#market/rules/securities.ts';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';
import type { TakenColumn } from '#ui/table/types.ts';
import type { SectorFigures } from '#subjects/glance/rules/book.ts';
import type { GlanceTold } from '#subjects/glance/rules/follower.ts';
import { showInScanner } from '../showInScanner.ts';
import { SectorMap } from './SectorMap.tsx';
import { SectorTable } from './SectorTable.tsx';

type SectorsProps = { map: NonNullable<GlanceTold['map']>; securities: Securities | undefined };
type View = 'map' | 'table';

const VIEWS: readonly { id: View; label: string }[] = [
  { id: 'map', label: 'Map' },
  { id: 'table', label: 'Table' },
];

/** Percent, and AUD, as they are. */
const TAKEN: readonly TakenColumn<SectorFigures>[] = [
  { label: 'Sector', value: ({ name }) => name },
  { label: 'Change %', value: ({ change }) => change },
  { label: 'Advancers', value: ({ advancers }) => advancers },
  { label: 'Decliners', value: ({ decliners }) => decliners },
  { label: 'Market Cap', value: ({ marketCap }) => marketCap },
  { label: 'Traded', value: ({ value }) => value },
];

/** The sectors that the source has, as a map or as a table; on a phone there is no room for a map. */
export function Sectors({ map, securities }: SectorsProps): ReactNode {
  const [view, setView] = useState<View>('map');
  const isPhone = useWidthQuery('phone');
  const show = (sector: string) => showInScanner({ sector }, securities);
  const hasMap = !isPhone && map.sectors.some(({ marketCap }) => marketCap > 0);
  const source = sourceName(meta.value?.feed?.name ?? '');
  return (
    <section className="market-sectors" aria-labelledby="market-sectors">
      <header>
        <h2 id="market-sectors">Sectors</h2>
        {map.sectors.length > 0 && (
          <span className="muted">
            {formatNumber(map.sectors.length, 0)}, as {source} names them
          </span>
        )}
        {map.sectors.length > 0 && <TakeButton label="Sectors" columns={TAKEN} rows={() => map.sectors} />}
        {hasMap && (
          <fieldset className="market-choice">
            <legend className="visually-hidden">Show the sectors as</legend>
            {VIEWS.map(({ id, label }) => (
              <button key={id} type="button" aria-pressed={view === id} onClick={() => setView(id)}>
                {label}
              </button>
            ))}
          </fieldset>
        )}
      </header>
      {map.sectors.length === 0 ? (
        <p className="market-none">The price source names no sectors, so there is no map of them.</p>
      ) : hasMap && view === 'map' ? (
        <SectorMap map={map} onShow={show} />
      ) : (
        <SectorTable map={map} onShow={show} />
      )}
    </section>
  );
}
