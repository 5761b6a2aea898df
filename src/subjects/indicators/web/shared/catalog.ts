import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '../../../../texts/messages.ts';
import { api, messageOf, unwrap } from '../../../../../web/api/client.ts';
import { onReconnect } from '../../../../../web/shared/onReconnect.ts';
import {
  type CustomCatalog,
  type PlatformCatalog,
  readCustomCatalog,
  readPlatformCatalog,
} from './readCatalog.ts';

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
/** True while at least one of them is being loaded. */
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
    keepFirst(platform, () => unwrap(api.indicators.catalog.tv.get(), readPlatformCatalog)),
    keepFirst(
      custom,
      async () => (await unwrap(api.indicators.catalog.custom.get(), readCustomCatalog)).catalog,
    ),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    error.value = messageOf(failed.reason, MESSAGES.customScanner.loadCatalog);
    onReconnect(loadMissing);
  }
  loading.value = false;
}

function loadMissing(): void {
  if (error.peek() !== null) void loadCatalogs();
}

/**
 * Loads what is not loaded yet. A failure is kept in `catalogError`; the next call tries again, and so does the page when
 * the network or the server is back.
 */
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
