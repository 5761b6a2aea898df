import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '../../../src/domain/messages.ts';
import type { Timeframe } from '../../../src/domain/indicators/timeframe.ts';
import type { Catalog, Param } from '../../../src/domain/indicators/types.ts';
import { api, messageOf, unwrap } from '../api/client.ts';

export type PlatformCatalog = {
  catalog: Catalog;
  timeframes: readonly { key: Timeframe; label: string }[];
  /** Families that the running source gives no values for. */
  unavailable: readonly string[];
};
/** The one custom family as the server describes it. */
export type CustomFamily = { label: string; fullName: string; params: readonly Param[] };
export type CustomCatalog = { families: { htf_candle: CustomFamily }; version: number };

const platform = signal<PlatformCatalog | null>(null);
const custom = signal<CustomCatalog | null>(null);
const error = signal<string | null>(null);
const loading = signal(false);

/** The charting platform's indicators; null until they are loaded. */
export const platformCatalog: ReadonlySignal<PlatformCatalog | null> = platform;
/** The custom indicators; null until they are loaded. */
export const customCatalog: ReadonlySignal<CustomCatalog | null> = custom;
/** Why a catalog is missing; null while none is, or while one is loading. */
export const catalogError: ReadonlySignal<string | null> = error;
export const isCatalogLoading: ReadonlySignal<boolean> = loading;
/** At least one catalog has loaded: something can be chosen. */
export const hasCatalog: ReadonlySignal<boolean> = computed(
  () => platform.value !== null || custom.value !== null,
);

let running: Promise<void> | null = null;

async function keepFirst<T>(kept: { value: T | null }, load: () => Promise<T>): Promise<void> {
  if (kept.value === null) kept.value = await load();
}

async function loadBoth(): Promise<void> {
  loading.value = true;
  error.value = null;
  const results = await Promise.allSettled([
    keepFirst(platform, async () => await unwrap(api.indicators.catalog.tv.get())),
    keepFirst(custom, async () => (await unwrap(api.indicators.catalog.custom.get())).catalog),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) error.value = messageOf(failed.reason, MESSAGES.customScanner.loadCatalog);
  loading.value = false;
}

/** Loads what is not loaded yet. A failure is kept in `catalogError`, and the next call tries again. */
export function loadCatalogs(): Promise<void> {
  if (platform.peek() !== null && custom.peek() !== null) return Promise.resolve();
  running ??= loadBoth().finally(() => {
    running = null;
  });
  return running;
}

/** Forgets both; for tests. */
export function forgetCatalogs(): void {
  platform.value = null;
  custom.value = null;
  error.value = null;
}
