import { builtInCatalog } from '../../domain/indicators/builtInCatalog.ts';
import { BROKER_FIELDS } from '../../domain/indicators/brokerFields.ts';
import { type MetaField, parseMetainfo } from '../../domain/indicators/metainfo.ts';
import { TIMEFRAMES, timeframeOptions, type Timeframe } from '../../domain/indicators/timeframe.ts';
import type { Catalog, Family } from '../../domain/indicators/types.ts';
import { AppError } from '../../http/errors.ts';
import { isRecord } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Metainfo } from './metainfo.ts';
import type { IndicatorStore } from './store.ts';

/** Where values come from: 'platform' when the source brings its own, 'bars' when they are computed here. */
type ValueSource = 'platform' | 'bars';

export type TvCatalogAnswer = {
  catalog: Catalog;
  timeframes: { key: Timeframe; label: string }[];
  /** Slugs of families that the running feed gives no values for. */
  unavailable: string[];
};

export type CatalogStatus = {
  /** Epoch ms; null for the built-in catalog. */
  fetchedAt: number | null;
  totalIndicators: number;
};

export type CatalogKeeper = {
  /** The catalog as the running feed can serve it, with what it can't. The same object until the catalog changes. */
  answer(): TvCatalogAnswer;
  current(): Catalog;
  status(): CatalogStatus;
  /** Fetches the platform's list. @throws AppError 502 with why when it is unusable; the old catalog stays */
  refresh(): Promise<CatalogStatus>;
  /** Called after the catalog changed. */
  listen(listener: () => void): void;
};

export type CatalogParts = {
  store: IndicatorStore;
  clock: Clock;
  log: Log;
  metainfo: Metainfo;
  values: ValueSource;
  /** Whether a family can be computed from bars. */
  isComputable(family: Family): boolean;
};

const KEY = 'tradingview';

/** A new list with so much less than the old one is some other list. */
const MIN_SHARE = 0.5;

/** Families with the timeframes that the running feed has: our own bars know three minutes too. */
function offered(catalog: Catalog, parts: CatalogParts): TvCatalogAnswer {
  const indicators: Record<string, Family> = {};
  const unavailable: string[] = [];
  for (const [slug, family] of Object.entries(catalog.indicators)) {
    const isServed =
      parts.values === 'bars' ? parts.isComputable(family) : !['text', 'time'].includes(family.type);
    if (!isServed) unavailable.push(slug);
    const isOwn = parts.values === 'bars' && isServed;
    const timeframes = TIMEFRAMES.filter(
      (tf) => family.timeframes.includes(tf) || (isOwn && tf === '3' && family.timeframes.includes('1')),
    );
    indicators[slug] = { ...family, timeframes };
  }
  return { catalog: { ...catalog, indicators }, timeframes: timeframeOptions(), unavailable };
}

const isMetaField = (value: unknown): value is MetaField => isRecord(value) && 'n' in value && 't' in value;

function saved({ store, log }: CatalogParts): Catalog | null {
  const row = store.catalog(KEY);
  if (!row) return null;
  const parsed = parseMetainfo(row.fields);
  if (parsed.kind === 'families') {
    return { indicators: parsed.families, fields: BROKER_FIELDS, fetchedAt: row.fetchedAt };
  }
  log.warn('The kept indicator catalog could not be read; the built-in one is used', {
    reason: parsed.reason,
  });
  return null;
}

/** Keeps the indicator catalog: the last fetched one, else the built-in one. */
export function createCatalog(parts: CatalogParts): CatalogKeeper {
  const listeners = new Set<() => void>();
  let catalog = saved(parts) ?? builtInCatalog();
  let answer = offered(catalog, parts);
  let running: Promise<CatalogStatus> | null = null;

  const status = (): CatalogStatus => ({
    fetchedAt: catalog.fetchedAt,
    totalIndicators: Object.keys(catalog.indicators).length,
  });

  const refuse = (reason: string): never => {
    parts.log.warn('The indicator catalog was not refreshed', { reason });
    throw new AppError(502, `The indicator catalog was kept as it is: TradingView's list ${reason}.`);
  };

  const fetchIt = async (): Promise<CatalogStatus> => {
    const got = await parts.metainfo();
    if (got.kind === 'failed') return refuse(got.reason);
    const parsed = parseMetainfo(got.body);
    if (parsed.kind === 'unusable') return refuse(parsed.reason);
    const found = Object.keys(parsed.families).length;
    const known = status().totalIndicators;
    if (found < known * MIN_SHARE) return refuse(`has only ${found} indicator families instead of ${known}`);
    const fetchedAt = parts.clock.now();
    const { body } = got;
    const list: unknown = isRecord(body) && 'fields' in body ? body['fields'] : body;
    const fields = (Array.isArray(list) ? (list as unknown[]) : []).filter(isMetaField);
    parts.store.saveCatalog(
      KEY,
      fetchedAt,
      fields.map(({ n, t }) => ({ n, t })),
    );
    catalog = { indicators: parsed.families, fields: BROKER_FIELDS, fetchedAt };
    answer = offered(catalog, parts);
    parts.log.info('The indicator catalog was refreshed', { families: found });
    for (const listener of listeners) listener();
    return status();
  };

  return {
    answer: () => answer,
    current: () => answer.catalog,
    status,
    refresh() {
      running ??= fetchIt().finally(() => {
        running = null;
      });
      return running;
    },
    listen: (listener) => void listeners.add(listener),
  };
}
