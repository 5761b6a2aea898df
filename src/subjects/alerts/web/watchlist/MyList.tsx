import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useState,
  useRef,
} from 'react';
import { useActions } from '#web/shared/actions.ts';
import { meta, retryLive, streamState } from '#web/live/market.ts';
import { useStreamFailure, STREAM_FAILED } from '#web/live/useStreamFailure.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { useFilterKey } from '#ui/useFilterKey.ts';
import { flushAlerts, forgetAlerts, loadedAlerts } from './alerts/alertStore.ts';
import { LateConfirm } from '../shared/lateAlertDialogs.tsx';
import type { WatchRow } from './rows.ts';
import {
  removeSymbol,
  answerSoundOffer,
  soundOffer,
  changeError,
  items,
  loadError,
  loadWatchlist,
  openSymbols,
  showFailure,
  shownList,
  watchlists,
  chooseList,
} from './state.ts';
import { Tables } from './parts/WatchTable.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { Arming } from './parts/Arming.tsx';
import { playAlertSound } from '../shared/toastSound.ts';
import { dropOffer, offeredSymbol, takeOffer } from './useWatchlist.ts';
import EllipsisIcon from 'lucide-react/icons/ellipsis';
import PlusIcon from 'lucide-react/icons/plus';
import type { WatchlistView } from '#subjects/alerts/rules/watchlist.ts';

const ListMenu = lazy(async () => ({ default: (await import('./parts/ListMenu.tsx')).ListMenu }));
const ListNameDialog = lazy(async () => ({
  default: (await import('./parts/ListMenu.tsx')).ListNameDialog,
}));

/** The user's lists, of which one is shown, and what can be done with them. */
function ListBar(): ReactNode {
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
    <div className="row gap-1" role="group" aria-label="Lists">
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
  <button type="button" className="tool" aria-pressed={isShown} onClick={() => void chooseList(list)}>
    <span className="ellipsis">{list.name}</span> <span className="small">{list.symbols.length}</span>
  </button>
);

type NoticesProps = {
  /** Opens the market's stream anew, which can't be had; null when it can. */
  retryStream: (() => void) | null;
};

/** What went wrong with the list or with the stream, and what a link offers. */
function Notices({ retryStream }: NoticesProps): ReactNode {
  const failure = loadError.value;
  const change = changeError.value;
  return (
    <>
      {failure !== null && (
        <Banner action={<Button onClick={() => void loadWatchlist()}>Retry</Button>}>
          {failure}
          {items.value !== null && <span> · Showing the list as last loaded</span>}
        </Banner>
      )}
      {change !== null && <Banner onDismiss={() => showFailure(null)}>{change}</Banner>}
      {/* Without a single snapshot there are no prices, but alerts can be edited all the same. */}
      {retryStream && <Banner action={<Button onClick={retryStream}>Retry</Button>}>{STREAM_FAILED}</Banner>}
      <ClosedArming />
      <SoundOffer />
      <Offer />
    </>
  );
}

/** Offered once, as the first alert is made, until the page is left. */
function SoundOffer(): ReactNode {
  useEffect(() => () => answerSoundOffer(false), []);
  if (!soundOffer.value) return null;
  const take = () => {
    answerSoundOffer(true);
    void playAlertSound();
  };
  return (
    <Banner
      variant="info"
      onDismiss={() => answerSoundOffer(false)}
      action={
        <Button variant="primary" onClick={take}>
          Play a sound
        </Button>
      }
    >
      Your first alert in this browser is set. Play a sound when it fires? You can change that later in
      Settings.
    </Banner>
  );
}

/** What is about to fire of alerts whose row was closed meanwhile. */
function ClosedArming(): ReactNode {
  const open = openSymbols.value;
  const editors = [...loadedAlerts.value].flatMap(([symbol, one]) => (open.has(symbol) ? [] : one.editors));
  return editors.map((editor) => <Arming key={editor.key} editor={editor} isNamed />);
}

function Offer(): ReactNode {
  const symbol = offeredSymbol.value;
  if (symbol === null) return null;
  return (
    <Banner
      variant="info"
      onDismiss={dropOffer}
      action={
        <Button variant="primary" onClick={() => void takeOffer()}>
          Add {symbol}
        </Button>
      }
    >
      {symbol} is not on your watchlist.
    </Banner>
  );
}

const ScanAlerts = lazy(async () => ({
  default: (await import('./scanAlerts/ScanAlerts.tsx')).ScanAlerts,
}));

/** Whether no other list has a symbol: then its alerts go with it. */
const isOnlyPlace = ({ symbol }: WatchRow['item']): boolean =>
  watchlists.peek().every(({ id, symbols }) => id === shownList.peek()?.id || !symbols.includes(symbol));

/** @param next has the focus once the row is gone, and with it the button that was pressed */
async function remove({ item }: WatchRow, next: HTMLElement | null): Promise<void> {
  const isLast = isOnlyPlace(item);
  if (!(await removeSymbol(item))) return;
  if (isLast) forgetAlerts(item.symbol);
  next?.focus();
}

/** What waits to be saved is saved as another tab is shown; as the session ends it is kept for the next one. */
function flushLeft(): () => void {
  return () => {
    if (session.peek().isAuthenticated) flushAlerts();
  };
}

type MyListProps = {
  /** In which symbols are added. */
  box: RefObject<HTMLInputElement | null>;
};

/** The symbols that the user watches, in the table that fits each one's status, with the editors of their alerts. */
export function MyList({ box }: MyListProps): ReactNode {
  const { hasFailed, retry } = useStreamFailure(meta.value === null, streamState.value, retryLive);
  useFilterKey(box);
  const [asked, setAsked] = useState<WatchRow | null>(null);
  const onRemove = useCallback(
    (row: WatchRow) => {
      if (row.alerts > 0 && isOnlyPlace(row.item)) setAsked(row);
      else void remove(row, box.current);
    },
    [box],
  );
  useActions([
    { label: 'Add a symbol', words: 'watch watchlist', run: () => undefined, focus: () => box.current },
  ]);
  useEffect(flushLeft, []);
  return (
    <>
      <Notices retryStream={hasFailed ? retry : null} />
      <ListBar />
      <Tables onRemove={onRemove} hasStream={!hasFailed} />
      <Suspense fallback={null}>
        <ScanAlerts />
      </Suspense>
      {asked !== null && (
        <RemoveDialog
          row={asked}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            void remove(asked, box.current);
          }}
        />
      )}
    </>
  );
}

type RemoveDialogProps = { row: WatchRow; onConfirm(): void; onCancel(): void };

/** Asks before a symbol's alerts go with it. */
function RemoveDialog({ row, ...answers }: RemoveDialogProps): ReactNode {
  const { symbol } = row.item;
  const count = row.alerts === 1 ? '1 alert' : `${row.alerts} alerts`;
  return (
    <LateConfirm title={`Remove ${symbol}?`} action={`Remove with ${count}`} {...answers}>
      <p>
        {symbol} has {count}, which {row.alerts === 1 ? 'is' : 'are'} deleted with it.
      </p>
    </LateConfirm>
  );
}
