import { counted } from '#texts/format.ts';
import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useRef,
  type FocusEvent,
  type FormEvent,
  useEffect,
  useState,
  useCallback,
} from 'react';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { currentHash, navigate, pageOf, pathOf } from '#web/router/navigate.ts';
import { GroupChip } from '#web/windows/GroupChip.tsx';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { TabList, TabPanel } from '#ui/TabList.tsx';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { type ReasonShown, useAttention } from './api.ts';
import {
  showSymbol,
  startList,
  useWatchlist,
  dropOffer,
  offeredSymbol,
  acceptOffer,
  type WatchRow,
} from './useWatchlist.ts';
import '../alerts.css';
import { ATTENTION_PATH, attentionCount } from '../../rules/attention.ts';
import { WATCHLIST_PATH, settingsPath } from '#web/router/routes.ts';
import { Banner } from '#ui/Banner.tsx';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { WholeMarketWatch } from '#web/live/useWatch.tsx';
import {
  companyName,
  isLiveSymbol,
  searchLiveSymbols,
  SymbolBox,
} from '#subjects/stock/web/shared/SymbolBox.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import {
  addSymbol,
  items,
  showFailure,
  removeSymbol,
  answerSoundOffer,
  soundOffer,
  changeError,
  loadError,
  loadWatchlist,
  openSymbols,
  shownList,
  watchlists,
  chooseList,
} from './state.ts';
import { useActions } from '#web/shared/actions.ts';
import { meta, retryLive, streamState } from '#web/live/market.ts';
import { STREAM_FAILED, useStreamFailure } from '#web/live/useStreamFailure.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { useFilterKey } from '#ui/useFilterKey.ts';
import { flushAlerts, forgetAlerts, loadedAlerts } from './alerts/alertStore.ts';
import { Tables } from './parts/WatchTable.tsx';
import { UndoWindow } from './parts/UndoWindow.tsx';
import { playAlertSound } from '../shared/alertPreferences.ts';
import EllipsisIcon from 'lucide-react/icons/ellipsis';
import PlusIcon from 'lucide-react/icons/plus';
import { late, LateConfirm } from '#web/shared/lateStyles.ts';
import type { WatchlistView } from '../../rules/watchlist.ts';

const ListMenu = late(() => import('./parts/ListMenu.tsx').then((code) => code.ListMenu));
const ListNameDialog = late(() => import('./parts/ListMenu.tsx').then((code) => code.ListNameDialog));

function ListBar(): ReactNode {
  const lists = watchlists.value;
  const shown = shownList.value;
  const [isAdding, setAdding] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const options = useRef<HTMLSpanElement>(null);
  if (shown === null) return <div className="list-bar" />;
  const closeMenu = () => {
    setAnchor(null);
    options.current?.querySelector('button')?.focus();
  };
  return (
    <div className="list-bar row gap-1" role="group" aria-label="Lists">
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
      {anchor && <ListMenu list={shown} anchor={anchor} onClose={closeMenu} />}
      {isAdding && <ListNameDialog list={null} onClose={() => setAdding(false)} />}
    </div>
  );
}

const ListButton = ({ list, isShown }: { list: WatchlistView; isShown: boolean }): ReactNode => (
  <button type="button" className="tool" aria-pressed={isShown} onClick={() => void chooseList(list)}>
    <span className="ellipsis">{list.name}</span> <span className="small">{list.symbols.length}</span>
  </button>
);

function Banners({ retryStream }: { retryStream: (() => void) | null }): ReactNode {
  const failure = loadError.value;
  const change = changeError.value;
  return (
    <>
      {failure !== null && (
        <Banner action={<Button onClick={() => void loadWatchlist()}>Retry</Button>}>
          {failure}
          {items.value !== null && <span> · Showing the last version loaded</span>}
        </Banner>
      )}
      {change !== null && <Banner onDismiss={() => showFailure(null)}>{change}</Banner>}
      {/* Without a snapshot there are no prices, but alerts can still be edited. */}
      {retryStream && <Banner action={<Button onClick={retryStream}>Retry</Button>}>{STREAM_FAILED}</Banner>}
      <ClosedUndoWindow />
      <SoundOffer />
      <Offer />
    </>
  );
}

/** Offers the sound once, after the first alert, until the user leaves the page. */
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
      Your first alert in this browser is set. Play a sound when it fires? You can change this in Settings.
    </Banner>
  );
}

/** Pending alerts whose row was closed. */
function ClosedUndoWindow(): ReactNode {
  const open = openSymbols.value;
  const editors = [...loadedAlerts.value].flatMap(([symbol, one]) => (open.has(symbol) ? [] : one.editors));
  return editors.map((editor) => <UndoWindow key={editor.key} editor={editor} isNamed />);
}

function Offer(): ReactNode {
  const symbol = offeredSymbol.value;
  if (symbol === null) return null;
  return (
    <Banner
      variant="info"
      onDismiss={dropOffer}
      action={
        <Button variant="primary" onClick={() => void acceptOffer()}>
          Add {symbol}
        </Button>
      }
    >
      {symbol} is not on your watchlist.
    </Banner>
  );
}

const ScanAlerts = late(() => import('./ScanAlerts.tsx').then((code) => code.ScanAlerts));

/** Whether no other list has the symbol, so that its alerts are deleted with it. */
const isOnlyPlace = ({ symbol }: WatchRow['item']): boolean =>
  watchlists.peek().every(({ id, symbols }) => id === shownList.peek()?.id || !symbols.includes(symbol));

/** @param next gets the focus, because the pressed button disappears with the row */
async function remove({ item }: WatchRow, next: HTMLElement | null): Promise<void> {
  const isLast = isOnlyPlace(item);
  if (!(await removeSymbol(item))) return;
  if (isLast) forgetAlerts(item.symbol);
  next?.focus();
}

function MyList(): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const isPhone = useWidthQuery('phone');
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
  useEffect(
    () => () => {
      // If the session ended, unsaved changes are kept for the next login.
      if (session.peek().isAuthenticated) flushAlerts();
    },
    [],
  );
  return (
    <>
      <Banners retryStream={hasFailed ? retry : null} />
      <div className="gap-2-3 justify-between align-end row">
        <ListBar />
        <div className="row align-end">
          {!isPhone && <GroupChip />}
          <AddSymbol box={box} onKnown={showSymbol} />
        </div>
      </div>
      <Tables onRemove={onRemove} hasStream={!hasFailed} below={<ScanAlerts />} />
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

function RemoveDialog({ row, ...answers }: RemoveDialogProps): ReactNode {
  const { symbol } = row.item;
  const count = counted(row.alerts, 'alert');
  return (
    <LateConfirm open title={`Remove ${symbol}?`} action={`Remove with ${count}`} {...answers}>
      <p>
        {symbol} has {count}, which {row.alerts === 1 ? 'is' : 'are'} deleted with it.
      </p>
    </LateConfirm>
  );
}

type AddSymbolProps = {
  box: RefObject<HTMLInputElement | null>;
  onKnown(symbol: string): void;
};

/**
 * Whether the form has the focus or contains text. The text may also be cleared after the focus left, for example when
 * its symbol is added.
 */
function useInUse(isEmpty: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const [isUsed, setUsed] = useState(false);
  // True while leaving, because completing a symbol on blur must not add it.
  const isLeaving = useRef(false);
  useEffect(() => {
    if (isEmpty && !form.current?.contains(document.activeElement)) setUsed(false);
  }, [isEmpty]);
  const handlers = {
    onFocus: () => setUsed(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (isEmpty && !currentTarget.contains(relatedTarget)) setUsed(false);
    },
    onBlurCapture: () => {
      isLeaving.current = true;
      queueMicrotask(() => {
        isLeaving.current = false;
      });
    },
  };
  return { form, isUsed, isLeaving, handlers };
}

/**
 * The field that adds a symbol, by Enter, Add or picking a suggestion. While it is in use, the window receives the
 * whole market for suggestions.
 */
function AddSymbol({ box, onKnown }: AddSymbolProps): ReactNode {
  const [text, setText] = useState('');
  // Keeps text that was typed after the symbol was sent.
  const clear = (symbol: string) => setText((now) => (normaliseSymbol(now) === symbol ? '' : now));
  const adding = useAdding({ onKnown, onAdded: clear });
  const { form, isUsed, isLeaving, handlers } = useInUse(text === '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    box.current?.focus();
    if (text.trim() !== '') void adding.add(text);
  };
  return (
    <form ref={form} className="add-symbol cluster align-end" onSubmit={submit} {...handlers}>
      {isUsed && <WholeMarketWatch />}
      <SymbolBox
        label="Add symbol"
        placeholder="Code or company"
        inputRef={box}
        value={text}
        search={searchLiveSymbols}
        describe={companyName}
        isKnown={isLiveSymbol}
        isWrong={adding.isWrong}
        onText={(typed) => {
          setText(typed);
          adding.forget();
        }}
        onPick={(symbol) => {
          setText(symbol);
          if (!isLeaving.current) void adding.add(symbol);
        }}
      />
      <AddButton isBusy={adding.isBusy} />
      <p className="visually-hidden" role="status">
        {adding.done}
      </p>
    </form>
  );
}

const AddButton = ({ isBusy }: { isBusy: boolean }): ReactNode => (
  <Button
    type="submit"
    disabled={isBusy}
    // Keeps the focus in the field, which otherwise clears itself before the click.
    onMouseDown={(event) => event.preventDefault()}
  >
    {isBusy ? 'Adding…' : 'Add'}
  </Button>
);

/** Adds a symbol. The server validates it, because this window's list may be incomplete or outdated. */
function useAdding({ onKnown, onAdded }: { onKnown(symbol: string): void; onAdded(symbol: string): void }) {
  const [isBusy, setBusy] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const [done, setDone] = useState('');

  const send = async (symbol: string): Promise<void> => {
    setDone('');
    setWrong(false);
    showFailure(null);
    if (items.peek()?.some((item) => item.symbol === symbol)) {
      setDone(`${symbol} is already on your watchlist.`);
      onAdded(symbol);
      return onKnown(symbol);
    }
    const refusal = await addSymbol(symbol);
    if (refusal !== null) {
      setWrong(refusal.field === 'symbol');
      return showFailure(refusal.message);
    }
    setDone(`${symbol} was added to your watchlist.`);
    onAdded(symbol);
  };

  return {
    async add(typed: string): Promise<void> {
      setBusy(true);
      await send(normaliseSymbol(typed));
      setBusy(false);
    },
    forget: () => setWrong(false),
    isBusy,
    isWrong,
    done,
  };
}

/** Shows on every tab that a chat or device of an alert does not accept messages. */
function Undelivered({ reasons }: { reasons: readonly ReasonShown[] }): ReactNode {
  const [first, ...others] = new Set(reasons.filter(({ kind }) => kind === 'broken').map(({ text }) => text));
  if (first === undefined) return null;
  return (
    <Banner
      variant="warn"
      action={
        <a className="button" href={`#${settingsPath('linked-accounts')}`}>
          Open Settings
        </a>
      }
    >
      {first}
      {others.length > 0 && ` Needs attention has ${others.length} more.`}
    </Banner>
  );
}

/** Loads the list while the page is rendered for the first time, if the address shows it. */
export function startWatchlist(): void {
  if (placeAt(currentHash.peek()).page === 'list') startList();
}

const WATCH_PAGES = ['list', 'alerts', 'triggers'] as const;
type WatchPage = (typeof WATCH_PAGES)[number];

const PAGE_LABELS: Readonly<Record<WatchPage, string>> = {
  list: 'My list',
  alerts: 'All alerts',
  triggers: 'Triggers',
};

const addressOf = (page: WatchPage): string =>
  page === 'list' ? WATCHLIST_PATH : `${WATCHLIST_PATH}/${page}`;

/** The tab of an address (default: My list), and whether All alerts shows only those that need attention. */
function placeAt(hash: string): { page: WatchPage; needsAttention: boolean } {
  if (pathOf(hash) === ATTENTION_PATH) return { page: 'alerts', needsAttention: true };
  const [named] = pageOf(hash, WATCHLIST_PATH);
  return { page: WATCH_PAGES.find((page) => page === named) ?? 'list', needsAttention: false };
}

const AllAlerts = lazy(async () => ({ default: (await import('./allAlerts/AllAlerts.tsx')).AllAlerts }));
const Triggers = lazy(async () => ({ default: (await import('./Triggers.tsx')).Triggers }));

export function WatchlistPage(): ReactNode {
  const { page, needsAttention } = placeAt(currentHash.value);
  useWatchlist(page === 'list');
  const attention = useAttention(currentHash.value);
  const reasons = attention.data?.reasons ?? [];
  return (
    <div className="page watchlist-page">
      <header className="row">
        <h1>Watchlist &amp; Alerts</h1>
        <FeedPill />
        <ZoneNote />
      </header>
      <TabList
        id="watch"
        label="Watchlist & Alerts"
        tabs={WATCH_PAGES}
        shown={page}
        addressOf={addressOf}
        onShow={(tab) => navigate(addressOf(tab))}
      >
        {(tab) => (
          <>
            {PAGE_LABELS[tab]}
            {tab === 'alerts' && <AttentionCount reasons={reasons} />}
          </>
        )}
      </TabList>
      <Undelivered reasons={reasons} />
      <TabPanel list="watch" shown={page} className="stack gap-4 min-w-0">
        {page === 'list' ? (
          <MyList />
        ) : (
          <Suspense fallback={<SkeletonRows rows={5} label="Loading…" />}>
            {page === 'alerts' && (
              <AllAlerts
                attention={attention}
                needsAttention={needsAttention}
                onFilter={(isOn) => navigate(isOn ? ATTENTION_PATH : addressOf('alerts'))}
              />
            )}
            {page === 'triggers' && <Triggers />}
          </Suspense>
        )}
      </TabPanel>
    </div>
  );
}

function AttentionCount({ reasons }: { reasons: readonly ReasonShown[] }): ReactNode {
  const count = attentionCount(reasons);
  return (
    count > 0 && (
      <span className="tab-count small rounded">
        {count}
        <span className="visually-hidden"> need attention</span>
      </span>
    )
  );
}
