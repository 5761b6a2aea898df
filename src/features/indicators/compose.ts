import type { Config } from '../../config.ts';
import type { Db } from '../../db/open.ts';
import type { HttpClient } from '../../lib/httpClient/client.ts';
import type { Log } from '../../lib/log.ts';
import { createDemand } from '../../market/indicators/demand.ts';
import { isComputable } from '../../market/indicators/formulas/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { createCatalog, type ValueSource } from './catalog.ts';
import { createMetainfo, type Metainfo } from './metainfo.ts';
import { createIndicators, type Indicators } from './service.ts';
import { indicatorStore } from './store.ts';

export type IndicatorsDeps = {
  db: Db;
  config: Config;
  /** The wall clock. */
  clock: Clock;
  log: Log;
  http: HttpClient;
  /** How the platform's list is fetched; the network unless a test says otherwise. */
  metainfo?: Metainfo;
};

/** Where the values of a feed come from: the platform brings its own, every other feed's are computed here. */
export const valueSourceOf = (feed: Config['feed']): ValueSource =>
  feed === 'tradingview' ? 'platform' : 'bars';

/** Puts catalog, preferences and demand together for the configured feed. */
export function composeIndicators({ db, config, clock, log, http, metainfo }: IndicatorsDeps): Indicators {
  const store = indicatorStore(db);
  const catalog = createCatalog({
    store,
    clock,
    log: log.child('indicators'),
    metainfo: metainfo ?? createMetainfo(config.tradingview.url, http),
    values: valueSourceOf(config.feed),
    isComputable,
  });
  const demand = createDemand();
  demand.listen(() => {
    const count = demand.leftOut();
    if (count > 0) log.warn('More indicator values are in use than are served; some stay empty', { count });
  });
  return createIndicators({ store, catalog, demand, clock });
}
