import { type KeyboardEvent, type ReactNode, type RefObject, useMemo } from 'react';
import { type PickGroup, pickGroups, type PickItem } from '#market/indicators/rules/picker.ts';
import { customCatalog, isCatalogLoading, platformCatalog } from './catalog.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { CatalogProblem } from './CatalogProblem.tsx';
import './PickerList.css';
import { BROKER_FIELDS } from '#market/indicators/rules/brokerFields.ts';
import type { FieldOption } from '#market/indicators/rules/types.ts';

type PickerListProps = {
  query: string;
  /** Fields that are offered beside those of the catalog. */
  moreFields: readonly FieldOption[];
  /** The search box, for the dialog's focus. */
  searchRef: RefObject<HTMLInputElement | null>;
  onQuery(query: string): void;
  onPick(item: PickItem): void;
};

/** Everything that can be chosen, in three groups, narrowed by the search box; the arrow keys move through it. */
export function PickerList({ query, moreFields, searchRef, onQuery, onPick }: PickerListProps): ReactNode {
  const groups = usePickGroups(query, moreFields);
  const isWaiting = isCatalogLoading.value && platformCatalog.value === null;
  const first = groups[0]?.items.find(({ reason }) => reason === null);

  const pickFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || query.trim() === '' || !first) return;
    event.preventDefault();
    onPick(first);
  };

  return (
    <div className="picker" onKeyDown={moveFocus} role="presentation">
      <div className="picker-search">
        <input
          ref={searchRef}
          className="input"
          type="search"
          aria-label="Search indicators and fields"
          placeholder="Search"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={pickFirst}
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

/** Moves the focus by an arrow key among the search box and all that can be chosen. */
function moveFocus(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .picker-item')];
  stops[stops.indexOf(document.activeElement as HTMLElement) + by]?.focus();
}

/** What the loaded catalogs offer for a search; broker fields also while no catalog is loaded. */
function usePickGroups(query: string, moreFields: readonly FieldOption[]): PickGroup[] {
  const platform = platformCatalog.value;
  const custom = customCatalog.value;
  return useMemo(
    () =>
      pickGroups(
        {
          indicators: platform?.catalog.indicators ?? {},
          unavailable: platform?.unavailable ?? [],
          fields: [...(platform?.catalog.fields ?? BROKER_FIELDS), ...moreFields],
          custom: custom?.families.htf_candle ?? null,
        },
        query,
      ),
    [platform, custom, query, moreFields],
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
              className="picker-item"
              aria-disabled={item.reason !== null || undefined}
              onClick={() => {
                if (item.reason === null) onPick(item);
              }}
            >
              <span className="picker-label">{item.label}</span>
              {item.detail !== item.label && <span className="picker-detail">{item.detail}</span>}
              {item.reason !== null && <span className="picker-reason">{item.reason}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
