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
} from 'react';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { currentHash, navigate } from '#web/router/navigate.ts';
import { GroupChip } from '#web/windows/GroupChip.tsx';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { TabList, TabPanel } from '#ui/TabList.tsx';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { MyList } from './MyList.tsx';
import { type ReasonShown, useAttention } from './attention.ts';
import { showSymbol, useWatchlist } from './useWatchlist.ts';
import '../alerts.css';
import { pageOf } from '#web/router/pageOf.ts';
import { pathOf } from '#web/router/resolveRoute.ts';
import { ATTENTION_PATH, attentionCount } from '#subjects/alerts/rules/attention.ts';
import { WATCHLIST_PATH, SETTINGS_PATH } from '#web/router/routes.ts';
import { Banner } from '#ui/Banner.tsx';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { WholeMarketWatch } from '#web/live/WholeMarketWatch.tsx';
import { companyName, isLiveSymbol, searchLiveSymbols } from '#subjects/stock/web/shared/liveSymbols.ts';
import { SymbolBox } from '#subjects/stock/web/shared/SymbolBox.tsx';
import { Button } from '#ui/Button.tsx';
import { addSymbol, items, showFailure } from './state.ts';

type AddSymbolProps = {
  box: RefObject<HTMLInputElement | null>;
  /** A symbol that was asked for is on the list already. */
  onKnown(symbol: string): void;
};

/**
 * Whether the form is in use: it has the focus, or something is typed. The box may be emptied after it was left: by
 * itself, or as its symbol is added.
 */
function useInUse(isEmpty: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const [isUsed, setUsed] = useState(false);
  // To pick what was typed in full while leaving the box is no wish to add it yet.
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
 * Adds a symbol: typed and sent with Enter or Add, or picked from the list, which adds it at once. While it is in use
 * the window is sent the whole market, whose symbols it completes from.
 */
function AddSymbol({ box, onKnown }: AddSymbolProps): ReactNode {
  const [text, setText] = useState('');
  // What was typed since the symbol was sent stays.
  const clear = (symbol: string) => setText((now) => (normaliseSymbol(now) === symbol ? '' : now));
  const adding = useAdding({ onKnown, onTaken: clear });
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
    // The focus stays in the box, which otherwise empties itself before the click counts.
    onMouseDown={(event) => event.preventDefault()}
  >
    {isBusy ? 'Adding…' : 'Add'}
  </Button>
);

type AddingInput = { onKnown(symbol: string): void; onTaken(symbol: string): void };

/**
 * Sends a symbol to be added, and says what became of it. The server checks it: a window's own list may be half there,
 * or older than a stock that has just come.
 */
function useAdding({ onKnown, onTaken }: AddingInput) {
  const [isBusy, setBusy] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const [done, setDone] = useState('');

  const send = async (symbol: string): Promise<void> => {
    setDone('');
    setWrong(false);
    showFailure(null);
    if (items.peek()?.some((item) => item.symbol === symbol)) {
      setDone(`${symbol} is already on your watchlist.`);
      onTaken(symbol);
      return onKnown(symbol);
    }
    const refusal = await addSymbol(symbol);
    if (refusal !== null) {
      setWrong(refusal.field === 'symbol');
      return showFailure(refusal.message);
    }
    setDone(`${symbol} was added to your watchlist.`);
    onTaken(symbol);
  };

  return {
    async add(typed: string): Promise<void> {
      setBusy(true);
      await send(normaliseSymbol(typed));
      setBusy(false);
    },
    /** Another symbol is being typed. */
    forget: () => setWrong(false),
    isBusy,
    isWrong,
    done,
  };
}

/** Says on every tab that a chat or device which alerts are sent to takes no messages. */
function Undelivered({ reasons }: { reasons: readonly ReasonShown[] }): ReactNode {
  const [first, ...others] = new Set(reasons.filter(({ kind }) => kind === 'broken').map(({ text }) => text));
  if (first === undefined) return null;
  return (
    <Banner
      variant="warn"
      action={
        <a className="button" href={`#${SETTINGS_PATH}`}>
          Open Settings
        </a>
      }
    >
      {first}
      {others.length > 0 && ` Needs attention has ${others.length} more.`}
    </Banner>
  );
}

/** The tabs of Watchlist & Alerts, in their order. */
const WATCH_PAGES = ['list', 'alerts', 'triggers'] as const;
type WatchPage = (typeof WATCH_PAGES)[number];

const PAGE_LABELS: Readonly<Record<WatchPage, string>> = {
  list: 'My list',
  alerts: 'All alerts',
  triggers: 'Triggers',
};

/** Where a tab leads: a route. */
const addressOf = (page: WatchPage): string =>
  page === 'list' ? WATCHLIST_PATH : `${WATCHLIST_PATH}/${page}`;

/** Links of older versions lead to it. */
const REVIEW_PATH = `${WATCHLIST_PATH}/review`;

/** The tab that an address shows, My list if it names none, and whether All alerts shows those that need attention. */
function placeAt(hash: string): { page: WatchPage; needsAttention: boolean } {
  if ([ATTENTION_PATH, REVIEW_PATH].includes(pathOf(hash))) return { page: 'alerts', needsAttention: true };
  const [named] = pageOf(hash, WATCHLIST_PATH);
  return { page: WATCH_PAGES.find((page) => page === named) ?? 'list', needsAttention: false };
}

const AllAlerts = lazy(async () => ({ default: (await import('./allAlerts/AllAlerts.tsx')).AllAlerts }));
const Triggers = lazy(async () => ({ default: (await import('./triggers/Triggers.tsx')).Triggers }));

/** What the user watches, all alerts and all that they told, each under a tab and an address of its own. */
export function WatchlistPage(): ReactNode {
  useWatchlist();
  const box = useRef<HTMLInputElement>(null);
  const { page, needsAttention } = placeAt(currentHash.value);
  const attention = useAttention(currentHash.value);
  const reasons = attention.data?.reasons ?? [];
  return (
    <div className="page watchlist-page">
      <PageHead page={page} box={box} />
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
          <MyList box={box} />
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

type PageHeadProps = {
  page: WatchPage;
  /** Where a symbol is typed that is to be added. */
  box: RefObject<HTMLInputElement | null>;
};

function PageHead({ page, box }: PageHeadProps): ReactNode {
  const isPhone = useWidthQuery('phone');
  return (
    <header className="gap-2-3 justify-between row">
      <div className="row">
        <h1>Watchlist &amp; Alerts</h1>
        <FeedPill />
        <ZoneNote />
      </div>
      {page === 'list' && (
        <div className="row align-end">
          {!isPhone && <GroupChip />}
          <AddSymbol box={box} onKnown={showSymbol} />
        </div>
      )}
    </header>
  );
}
