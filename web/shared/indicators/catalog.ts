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

export const platformCatalog: ReadonlySignal<PlatformCatalog | null> = platform.data;
export const customCatalog: ReadonlySignal<CustomCatalog | null> = custom.data;
export const isCatalogLoading: ReadonlySignal<boolean> = computed(
  () => platform.state.value.isLoading || custom.state.value.isLoading,
);
/** Why a catalog could not be loaded; null while loading, and if both are loaded. */
export const catalogError: ReadonlySignal<string | null> = computed(() =>
  isCatalogLoading.value ? null : (platform.error.value ?? custom.error.value),
);
export const hasCatalog: ReadonlySignal<boolean> = computed(
  () => platform.data.value !== null || custom.data.value !== null,
);

const loadMissing = async <T>({ state, load }: Loader<T>): Promise<void> => {
  const { data, isLoading } = state.peek();
  if (data === null && !isLoading) await load();
};

/**
 * Loads missing catalogs. A failure is in `catalogError`. The next call retries, and so does the return of the network
 * or server.
 */
export async function loadCatalogs(): Promise<void> {
  await Promise.all([loadMissing(platform), loadMissing(custom)]);
}

export function forgetCatalogs(): void {
  platform.reset();
  custom.reset();
}
