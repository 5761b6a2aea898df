import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { Send, Watch } from './stream/protocol.ts';

export type Watcher = {
  /** Replaces the previous watch. */
  set(watch: Partial<Watch>): void;
  confirmed: ReadonlySignal<{ text: string; version: number } | null>;
  stop(): void;
};

type Need = { watch: Partial<Watch>; notify(version: number): void };

const needs = new Set<Need>();
let sent = { text: '', version: 0 };
let send: Send | null = null;
let isDue = false;

/** The combined watch. It is sorted and without duplicates, so that equal needs give equal watches. */
function union(): Watch {
  const all = [...needs].map(({ watch }) => watch);
  const distinct = <T>(lists: readonly (readonly T[] | undefined)[]): T[] => [
    ...new Set(lists.flatMap((list) => list ?? [])),
  ];
  return {
    all: all.some((watch) => watch.all === true),
    codes: distinct(all.map(({ codes }) => codes)).sort(),
    scanners: distinct(all.map(({ scanners }) => scanners)).sort(),
  };
}

/** Sends after the current task, so that a change of screen sends only one watch. */
function sendLater(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    const watch = union();
    const text = JSON.stringify(watch);
    if (text !== sent.text) {
      sent = { text, version: sent.version + 1 };
      send?.({ type: 'watch', watch, version: sent.version });
    }
    for (const need of needs) need.notify(sent.version);
  });
}

/** Sends this page's watch now and after every change; null stops that. @param begins the page's first scanner */
export function sendWatch(to: Send | null, begins?: ScannerKey): void {
  send = to;
  send?.({ type: 'watch', watch: union(), version: sent.version, ...(begins && { begins }) });
}

export function createWatcher(): Watcher {
  const confirmed = signal<{ text: string; version: number } | null>(null);
  let isNew = false;
  const need: Need = {
    watch: {},
    notify: (version) => {
      if (isNew) confirmed.value = { text: JSON.stringify(need.watch), version };
      isNew = false;
    },
  };
  return {
    set: (watch) => {
      need.watch = watch;
      isNew = true;
      needs.add(need);
      sendLater();
    },
    confirmed,
    stop: () => {
      needs.delete(need);
      sendLater();
    },
  };
}
