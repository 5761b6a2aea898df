import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { timeframeOptions } from '#market/indicators/rules/types.ts';
import { CUSTOM_CATALOG } from '#subjects/indicators/answers/catalog.ts';

/** Both catalogs as the server returns them, for a page with `fakeApi`; candles have no values. */
export const CATALOGS = {
  'GET /api/indicators/catalog/tv': {
    body: {
      catalog: builtInCatalog(),
      timeframes: timeframeOptions(),
      unavailable: ['candle-doji', 'candle-hammer'],
    },
  },
  'GET /api/indicators/catalog/custom': { body: CUSTOM_CATALOG },
};
