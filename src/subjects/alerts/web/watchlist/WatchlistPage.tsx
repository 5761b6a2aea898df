import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { FeedPill } from '../../../../../web/live/FeedPill.tsx';
import { currentHash } from '../../../../../web/router/navigate.ts';
import { GroupChip } from '../../../../../web/windows/GroupChip.tsx';
import { ZoneNote } from '../../../../../web/shared/ZoneNote.tsx';
import { SkeletonRows } from '../../../../../web/ui/SkeletonRows.tsx';
import { useWidthQuery } from '../../../../../web/ui/useWidthQuery.ts';
import { MyList } from './list/MyList.tsx';
import { AddSymbol } from './parts/AddSymbol.tsx';
import { showSymbol } from './requests.ts';
import { tabId, WATCH_PANEL_ID, WatchTabs } from './tabs/WatchTabs.tsx';
import { pageAt } from './tabs/watchPages.ts';
import { useWatchlist } from './useWatchlist.ts';
import './WatchlistPage.css';

const AllAlerts = lazy(async () => ({ default: (await import('./allAlerts/AllAlerts.tsx')).AllAlerts }));
const Triggers = lazy(async () => ({ default: (await import('./triggers/Triggers.tsx')).Triggers }));

/** What the user watches, all alerts and all that they told, each under a tab and an address of its own. */
export function WatchlistPage(): ReactNode {
  useWatchlist();
  const box = useRef<HTMLInputElement>(null);
  const isPhone = useWidthQuery('phone');
  const page = pageAt(currentHash.value);
  return (
    <div className="watchlist-page">
      <header className="watchlist-head">
        <div className="watchlist-title">
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
      <WatchTabs shown={page} />
      <div id={WATCH_PANEL_ID} className="watchlist-panel" role="tabpanel" aria-labelledby={tabId(page)}>
        {page === 'list' ? (
          <MyList box={box} />
        ) : (
          <Suspense fallback={<SkeletonRows rows={5} label="Loading…" />}>
            {page === 'alerts' ? <AllAlerts /> : <Triggers />}
          </Suspense>
        )}
      </div>
    </div>
  );
}
