import { builtInCatalog } from '../../src/domain/indicators/builtInCatalog.ts';
import { timeframeOptions } from '../../src/domain/indicators/timeframe.ts';
import { CUSTOM_CATALOG } from '../../src/features/indicators/model.ts';

/** Both catalogs as the server gives them, for a page in front of `fakeApi`; candles have no values. */
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
