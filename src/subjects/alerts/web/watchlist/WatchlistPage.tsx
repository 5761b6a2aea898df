import { lazy, type ReactNode, type RefObject, Suspense, useRef } from 'react';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { currentHash, navigate } from '#web/router/navigate.ts';
import { GroupChip } from '#web/windows/GroupChip.tsx';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { TabList, TabPanel } from '#ui/TabList.tsx';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { MyList } from './MyList.tsx';
import { useReview } from './review/api.ts';
import { AddSymbol } from './parts/AddSymbol.tsx';
import { Undelivered } from './parts/Undelivered.tsx';
import { showSymbol, useWatchlist } from './useWatchlist.ts';
import './WatchlistPage.css';
import { pageOf } from '#web/router/pageOf.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';

/** The tabs of Watchlist & Alerts, in their order. */
const WATCH_PAGES = ['list', 'alerts', 'review', 'triggers'] as const;
type WatchPage = (typeof WATCH_PAGES)[number];

const PAGE_LABELS: Readonly<Record<WatchPage, string>> = {
  list: 'My list',
  alerts: 'All alerts',
  review: 'Review',
  triggers: 'Triggers',
};

/** Where a tab leads: a route. */
const addressOf = (page: WatchPage): string =>
  page === 'list' ? WATCHLIST_PATH : `${WATCHLIST_PATH}/${page}`;

/** The tab that an address shows; My list for one that names none. */
function pageAt(hash: string): WatchPage {
  const [named] = pageOf(hash, WATCHLIST_PATH);
  return WATCH_PAGES.find((page) => page === named) ?? 'list';
}

const AllAlerts = lazy(async () => ({ default: (await import('./allAlerts/AllAlerts.tsx')).AllAlerts }));
const Triggers = lazy(async () => ({ default: (await import('./triggers/Triggers.tsx')).Triggers }));

const Review = lazy(async () => ({
  default: (await import('./review/Review.tsx')).Review,
}));

/** What the user watches, all alerts and all that they told, each under a tab and an address of its own. */
export function WatchlistPage(): ReactNode {
  useWatchlist();
  const box = useRef<HTMLInputElement>(null);
  const page = pageAt(currentHash.value);
  const review = useReview(page);
  const findings = review.data?.findings ?? [];
  return (
    <div className="watchlist-page stack">
      <PageHead page={page} box={box} />
      <TabList
        id="watch"
        label="Watchlist & Alerts"
        tabs={WATCH_PAGES}
        shown={page}
        addressOf={addressOf}
        onShow={(tab) => navigate(addressOf(tab))}
      >
        {(tab) => <TabLabel tab={tab} count={tab === 'review' ? findings.length : 0} />}
      </TabList>
      {page !== 'review' && <Undelivered findings={findings} />}
      <TabPanel list="watch" shown={page} className="watchlist-panel stack">
        {page === 'list' ? (
          <MyList box={box} />
        ) : (
          <Suspense fallback={<SkeletonRows rows={5} label="Loading…" />}>
            {page === 'alerts' && <AllAlerts />}
            {page === 'review' && <Review loaded={review} />}
            {page === 'triggers' && <Triggers />}
          </Suspense>
        )}
      </TabPanel>
    </div>
  );
}

/** @param count of what is to be looked at there; 0 for nothing */
const TabLabel = ({ tab, count }: { tab: WatchPage; count: number }): ReactNode => (
  <>
    {PAGE_LABELS[tab]}
    {count > 0 && (
      <span className="tab-count">
        {count}
        <span className="visually-hidden"> to look at</span>
      </span>
    )}
  </>
);

type PageHeadProps = {
  page: WatchPage;
  /** Where a symbol is typed that is to be added. */
  box: RefObject<HTMLInputElement | null>;
};

function PageHead({ page, box }: PageHeadProps): ReactNode {
  const isPhone = useWidthQuery('phone');
  return (
    <header className="watchlist-head row">
      <div className="row">
        <h1>Watchlist &amp; Alerts</h1>
        <FeedPill />
        <ZoneNote />
      </div>
      {page === 'list' && (
        <div className="watchlist-tools">
          {!isPhone && <GroupChip />}
          <AddSymbol box={box} onKnown={showSymbol} />
        </div>
      )}
    </header>
  );
}
