import EllipsisIcon from 'lucide-react/icons/ellipsis';
import PlusIcon from 'lucide-react/icons/plus';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { WatchlistView } from '#subjects/alerts/rules/watchlist.ts';
import { IconButton } from '#ui/Button.tsx';
import { chooseList, shownList, watchlists } from '../state.ts';
import './ListBar.css';

const ListMenu = lazy(async () => ({ default: (await import('./ListMenu.tsx')).ListMenu }));
const ListNameDialog = lazy(async () => ({
  default: (await import('./ListMenu.tsx')).ListNameDialog,
}));

/** The user's lists, of which one is shown, and what can be done with them. */
export function ListBar(): ReactNode {
  const lists = watchlists.value;
  const shown = shownList.value;
  const [isAdding, setAdding] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const options = useRef<HTMLSpanElement>(null);
  if (shown === null) return null;
  const closeMenu = () => {
    setAnchor(null);
    options.current?.querySelector('button')?.focus();
  };
  return (
    <div className="list-bar" role="group" aria-label="Lists">
      {lists.map((list) => (
        <ListButton key={list.id} list={list} isShown={list.id === shown.id} />
      ))}
      <IconButton label="New list" onClick={() => setAdding(true)}>
        <PlusIcon size={16} aria-hidden />
      </IconButton>
      <span ref={options}>
        <IconButton
          label={`Options of ${shown.name}`}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          <EllipsisIcon size={16} aria-hidden />
        </IconButton>
      </span>
      <Suspense fallback={null}>
        {anchor && <ListMenu list={shown} anchor={anchor} onClose={closeMenu} />}
        {isAdding && <ListNameDialog list={null} onClose={() => setAdding(false)} />}
      </Suspense>
    </div>
  );
}

const ListButton = ({ list, isShown }: { list: WatchlistView; isShown: boolean }): ReactNode => (
  <button type="button" className="list-button" aria-pressed={isShown} onClick={() => void chooseList(list)}>
    {list.name} <span className="list-count">{list.symbols.length}</span>
  </button>
);
