import { createValues, type Values, type ValuesDeps } from '../../market/indicators/values.ts';
import { valueSourceOf } from './compose.ts';
import type { Config } from '../../config.ts';
import { isFromPlatform } from './platformColumns.ts';
import type { Indicators } from './service.ts';

export type FeedValuesDeps = Pick<ValuesDeps, 'db' | 'market' | 'source' | 'wall' | 'log' | 'later'> & {
  feed: Config['feed'];
  indicators: Indicators;
};

/** The values of the configured feed: computed here, but for what a platform brings itself. */
export function createFeedValues({ feed, indicators, ...deps }: FeedValuesDeps): Values {
  const isPlatform = valueSourceOf(feed) === 'platform';
  return createValues({
    ...deps,
    demand: indicators.demand,
    families: () => indicators.catalog.current().indicators,
    isComputedHere: (item) => !isPlatform || !isFromPlatform(item),
    minutes: !isPlatform,
  });
}
