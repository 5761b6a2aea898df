import type { ReactNode } from 'react';
import type { Listed } from '#market/scanners/rules/filters.ts';
import { fetchLists } from '#subjects/alerts/web/shared/watchlists.ts';
import { MESSAGES } from '#texts/messages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { MenuCheck, MenuGroup, MenuLine, MenuSheet } from '#ui/MenuSheet.tsx';

export type ListFilterMenuProps = {
  anchor: HTMLElement;
  chosen: Listed | undefined;
  onChoose(chosen: Listed | undefined): void;
  onClose(): void;
};

/** Adds or removes a list. An empty choice means no filter. */
function toggled(chosen: Listed | undefined, id: number, isOn: boolean): Listed | undefined {
  const others = (chosen === 'all' || chosen === undefined ? [] : chosen).filter((one) => one !== id);
  const next = isOn ? [...others, id] : others;
  return next.length === 0 ? undefined : next;
}

export function ListFilterMenu({ anchor, chosen, onChoose, onClose }: ListFilterMenuProps): ReactNode {
  const { data, error } = useLoaded(fetchLists, MESSAGES.watchlist.load);
  return (
    <MenuSheet label="Only my lists" anchor={anchor} onClose={onClose}>
      <MenuCheck checked={chosen === 'all'} onChange={(isOn) => onChoose(isOn ? 'all' : undefined)}>
        <span>All my lists</span>
      </MenuCheck>
      {error !== null && <p className="menu-sheet-label">{error}</p>}
      {data !== null && data.length > 0 && (
        <>
          <MenuLine />
          <MenuGroup label="Only these">
            {data.map(({ id, name }) => (
              <MenuCheck
                key={id}
                checked={chosen !== undefined && chosen !== 'all' && chosen.includes(id)}
                onChange={(isOn) => onChoose(toggled(chosen, id, isOn))}
              >
                <span>{name}</span>
              </MenuCheck>
            ))}
          </MenuGroup>
        </>
      )}
    </MenuSheet>
  );
}
