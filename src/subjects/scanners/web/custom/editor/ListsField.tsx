import type { ReactNode } from 'react';
import { fetchLists } from '#subjects/alerts/web/shared/watchlists.ts';
import type { ListSide, NamedList, ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import { MESSAGES } from '#texts/messages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import { RetryBanner } from '#ui/RetryBanner.tsx';

type ListsFieldProps = {
  lists: ScanLists | null;
  isWrong: boolean;
  onChoose(lists: ScanLists | null): void;
};

const ALL = 'all';

const SIDES = [
  { id: ALL, label: 'All stocks' },
  { id: 'on', label: 'On my lists' },
  { id: 'off', label: 'Not on my lists' },
] as const;

/** The lists to choose from; one that was deleted stands among them while it is chosen. */
function optionsOf(known: readonly NamedList[] | null, { id, name }: ScanLists) {
  const options = (known ?? []).map((list) => ({ id: String(list.id), label: list.name }));
  const isMissing = id !== null && !known?.some((list) => list.id === id);
  const missing = { id: String(id), label: known === null ? (name ?? '') : `${name ?? 'A list'} (deleted)` };
  return [{ id: ALL, label: 'All my lists' }, ...options, ...(isMissing ? [missing] : [])];
}

/** Chooses whose stocks a scan looks at: all of the market, those on the user's lists, or those that are not. */
export function ListsField({ lists, isWrong, onChoose }: ListsFieldProps): ReactNode {
  const { data, error, reload } = useLoaded(fetchLists, MESSAGES.watchlist.load);
  const chooseSide = (side: ListSide | typeof ALL): void =>
    onChoose(side === ALL ? null : { id: null, name: null, ...lists, side });
  const chooseList = (chosen: string): void => {
    const list = data?.find(({ id }) => String(id) === chosen);
    if (lists && (list || chosen === ALL)) {
      onChoose({ side: lists.side, id: list?.id ?? null, name: list?.name ?? null });
    }
  };
  return (
    <>
      <div className="scan-lists">
        <NativeSelect label="Looks at" value={lists?.side ?? ALL} options={SIDES} onChoose={chooseSide} />
        {lists && (
          <NativeSelect
            label="Lists"
            value={lists.id === null ? ALL : String(lists.id)}
            options={optionsOf(data, lists)}
            aria-invalid={isWrong || undefined}
            onChoose={chooseList}
          />
        )}
      </div>
      {lists && error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
    </>
  );
}
