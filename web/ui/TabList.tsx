import { type KeyboardEvent, type ReactNode, useRef } from 'react';

type TabListProps<Tab extends string> = {
  id: string;
  label: string;
  tabs: readonly Tab[];
  shown: Tab;
  /** Returns a tab's route; omit for tabs without addresses. */
  addressOf?(tab: Tab): string;
  onShow(tab: Tab): void;
  children(tab: Tab): ReactNode;
};

const tabId = (list: string, tab: string): string => `${list}-tab-${tab}`;
const panelId = (list: string): string => `${list}-panel`;

/** Index of the tab that a key selects; null for other keys. */
function tabAfter(key: string, from: number, count: number): number | null {
  if (key === 'ArrowRight') return (from + 1) % count;
  if (key === 'ArrowLeft') return (from + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

export function TabList<Tab extends string>(props: TabListProps<Tab>): ReactNode {
  const { id, label, tabs, shown, addressOf, onShow, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = tabs.findIndex((tab) => tabId(id, tab) === document.activeElement?.id);
    // Enter follows a link natively, and both keys press a button.
    const place = event.key === ' ' && addressOf ? from : tabAfter(event.key, from, tabs.length);
    const next = tabs[place ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onShow(next);
    list.current?.querySelector<HTMLElement>(`#${tabId(id, next)}`)?.focus();
  };
  return (
    <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => {
        const attributes = {
          role: 'tab',
          id: tabId(id, tab),
          className: 'tab',
          'aria-selected': tab === shown,
          'aria-controls': panelId(id),
          tabIndex: tab === shown ? 0 : -1,
        };
        return addressOf ? (
          <a key={tab} {...attributes} href={`#${addressOf(tab)}`}>
            {children(tab)}
          </a>
        ) : (
          <button key={tab} {...attributes} type="button" onClick={() => onShow(tab)}>
            {children(tab)}
          </button>
        );
      })}
    </div>
  );
}

export function TabPanel(props: { list: string; shown: string; className: string; children: ReactNode }) {
  const { list, shown, className, children } = props;
  return (
    <div id={panelId(list)} className={className} role="tabpanel" aria-labelledby={tabId(list, shown)}>
      {children}
    </div>
  );
}
