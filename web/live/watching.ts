import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { Send, Watch } from './stream/protocol.ts';

/** What one part of the page shows of the market. */
export type Watcher = {
  /** What it shows from now on, instead of what it named before. */
  set(watch: Partial<Watch>): void;
  /** What was told to the holder of the stream, as JSON, and the version of the watch that holds it. */
  told: ReadonlySignal<{ text: string; version: number } | null>;
  stop(): void;
};

type Need = { watch: Partial<Watch>; tell(version: number): void };

/** What the parts of this page show, and what was last said of it. */
const needs = new Set<Need>();
let said = { text: '', version: 0 };
let send: Send | null = null;
let isDue = false;

/** All that is needed, each once, so that the same needs in another order are the same watch. */
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

/** Together, once this task is done: a screen that takes another's place asks once. */
function sayLater(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    const watch = union();
    const text = JSON.stringify(watch);
    if (text !== said.text) {
      said = { text, version: said.version + 1 };
      send?.({ type: 'watch', watch, version: said.version });
    }
    for (const need of needs) need.tell(said.version);
  });
}

/**
 * Begins to say what this page watches, at once and whenever it changes; null stops.
 * @param begins the scanner that the page opens with, if it is one
 */
export function tellWatch(to: Send | null, begins?: ScannerKey): void {
  send = to;
  send?.({ type: 'watch', watch: union(), version: said.version, ...(begins && { begins }) });
}

/** Keeps the stocks that a part of the page shows among those that this window is sent. */
export function createWatcher(): Watcher {
  const told = signal<{ text: string; version: number } | null>(null);
  let isNew = false;
  const need: Need = {
    watch: {},
    tell: (version) => {
      if (isNew) told.value = { text: JSON.stringify(need.watch), version };
      isNew = false;
    },
  };
  return {
    set: (watch) => {
      need.watch = watch;
      isNew = true;
      needs.add(need);
      sayLater();
    },
    told,
    stop: () => {
      needs.delete(need);
      sayLater();
    },
  };
}
