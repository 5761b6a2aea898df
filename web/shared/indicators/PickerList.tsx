import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import { BROKER_FIELDS } from '../../../src/domain/indicators/fields.ts';
import { type PickGroup, pickGroups, type PickItem } from '../../../src/domain/indicators/picker.ts';
import { customCatalog, isCatalogLoading, platformCatalog } from './catalog.ts';
import { SkeletonRows } from '../../ui/SkeletonRows.tsx';
import { CatalogProblem } from './CatalogProblem.tsx';

type PickerListProps = { query: string; onQuery(query: string): void; onPick(item: PickItem): void };

/** Everything that can be chosen, in three groups, narrowed by the search box; arrows walk through it. */
export function PickerList({ query, onQuery, onPick }: PickerListProps): ReactNode {
  const platform = platformCatalog.value;
  const custom = customCatalog.value;
  const frame = useRef<HTMLDivElement>(null);
  const groups = useMemo(
    () =>
      pickGroups(
        {
          indicators: platform?.catalog.indicators ?? {},
          unavailable: platform?.unavailable ?? [],
          fields: platform?.catalog.fields ?? BROKER_FIELDS,
          custom: custom?.families.htf_candle ?? null,
        },
        query,
      ),
    [platform, custom, query],
  );
  const isWaiting = isCatalogLoading.value && platform === null;

  const walk = (event: KeyboardEvent) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    const stops = [...(frame.current?.querySelectorAll<HTMLElement>('input, .pick-item') ?? [])];
    stops[stops.indexOf(document.activeElement as HTMLElement) + steps]?.focus();
  };
  const first = groups[0]?.items.find(({ reason }) => reason === null);

  return (
    <div className="picker" ref={frame} onKeyDown={walk} role="presentation">
      <div className="picker-search">
        <input
          className="input"
          type="search"
          aria-label="Search indicators and fields"
          placeholder="Search"
          value={query}
          // The dialog is there to search.
          autoFocus
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || query.trim() === '' || !first) return;
            event.preventDefault();
            onPick(first);
          }}
        />
      </div>
      <CatalogProblem />
      {isWaiting && <SkeletonRows rows={6} label="Loading indicators…" />}
      {groups.map((group) => (
        <Group key={group.title} group={group} onPick={onPick} />
      ))}
      {!isWaiting && groups.length === 0 && <p className="picker-none">No matches found</p>}
    </div>
  );
}

function Group({ group, onPick }: { group: PickGroup; onPick(item: PickItem): void }): ReactNode {
  return (
    <section className="picker-group" aria-label={group.title}>
      <h3>{group.title}</h3>
      <ul className="picker-items">
        {group.items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              className="pick-item"
              aria-disabled={item.reason !== null || undefined}
              onClick={() => {
                if (item.reason === null) onPick(item);
              }}
            >
              <span className="pick-label">{item.label}</span>
              {item.detail !== item.label && <span className="pick-detail muted">{item.detail}</span>}
              {item.reason !== null && <span className="pick-reason">{item.reason}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
