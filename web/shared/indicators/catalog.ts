import { computed, type ReadonlySignal } from '@preact/signals-react';
import { MESSAGES } from '#texts/messages.ts';
import { readerOf, request } from '../../api/client.ts';
import { Loader } from '#web/shared/loader.ts';
import type { Known } from '#lib/contract/fields.ts';
import {
  customCatalog as customAnswer,
  type PlatformCatalog,
  platformCatalog as platformAnswer,
} from '#subjects/indicators/answers/catalog.ts';

type CustomCatalog = Known<typeof customAnswer>['catalog'];

const platform = new Loader(
  () => request('GET /api/indicators/catalog/tv', { read: readerOf(platformAnswer) }),
  MESSAGES.customScanner.loadCatalog,
);
const custom = new Loader(
  async () => (await request('GET /api/indicators/catalog/custom', { read: readerOf(customAnswer) })).catalog,
  MESSAGES.customScanner.loadCatalog,
);

/** The charting platform's indicators; null until they are loaded. */
export const platformCatalog: ReadonlySignal<PlatformCatalog | null> = platform.data;
/** The custom indicators; null until they are loaded. */
export const customCatalog: ReadonlySignal<CustomCatalog | null> = custom.data;
/** True while at least one of them is being loaded. */
export const isCatalogLoading: ReadonlySignal<boolean> = computed(
  () => platform.state.value.isLoading || custom.state.value.isLoading,
);
/** Why a catalog is missing; null while none is, or while one is loading. */
export const catalogError: ReadonlySignal<string | null> = computed(() =>
  isCatalogLoading.value ? null : (platform.error.value ?? custom.error.value),
);
/** At least one catalog has loaded: something can be chosen. */
export const hasCatalog: ReadonlySignal<boolean> = computed(
  () => platform.data.value !== null || custom.data.value !== null,
);

const loadMissing = async <T>({ state, load }: Loader<T>): Promise<void> => {
  const { data, isLoading } = state.peek();
  if (data === null && !isLoading) await load();
};

/**
 * Loads what is not loaded yet. A failure is kept in `catalogError`; the next call tries again, and so does the page when
 * the network or the server is back.
 */
export async function loadCatalogs(): Promise<void> {
  await Promise.all([loadMissing(platform), loadMissing(custom)]);
}

/** Forgets both; for tests. */
export function forgetCatalogs(): void {
  platform.reset();
  custom.reset();
}
