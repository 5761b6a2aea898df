import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { navigate } from '../../../../../../web/router/navigate.ts';
import { tabAfter } from '../../../../../../web/ui/tabKeys.ts';
import { addressOf, PAGE_LABELS, WATCH_PAGES, type WatchPage } from './watchPages.ts';
import './WatchTabs.css';

/** The ids of a tab and of what it shows. */
export const tabId = (page: WatchPage): string => `watch-tab-${page}`;
export const WATCH_PANEL_ID = 'watch-panel';

/** The tabs of Watchlist & Alerts, each with its own address. The arrows, Home and End go from one to the other. */
export function WatchTabs({ shown }: { shown: WatchPage }): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = WATCH_PAGES.findIndex((page) => tabId(page) === document.activeElement?.id);
    // Enter follows the link by itself.
    const place = event.key === ' ' ? from : tabAfter(event.key, from, WATCH_PAGES.length);
    const next = WATCH_PAGES[place ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    navigate(addressOf(next));
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
  };
  return (
    <div
      ref={list}
      className="watch-tabs"
      role="tablist"
      aria-label="Watchlist & Alerts"
      onKeyDown={onKeyDown}
    >
      {WATCH_PAGES.map((page) => (
        <a
          key={page}
          role="tab"
          id={tabId(page)}
          className="watch-tab"
          href={`#${addressOf(page)}`}
          aria-selected={page === shown}
          aria-controls={WATCH_PANEL_ID}
          tabIndex={page === shown ? 0 : -1}
        >
          {PAGE_LABELS[page]}
        </a>
      ))}
    </div>
  );
}
