import type { HttpClient, JsonOutcome } from '#lib/httpClient/client.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { withoutEndSlashes } from '#lib/text.ts';
import { builtInCatalog, type MetaField, parseMetainfo } from '#market/indicators/rules/metainfo.ts';
import {
  BROKER_FIELDS,
  type DatedCatalog,
  type Family,
  timeframeOptions,
  TIMEFRAMES,
} from '#market/indicators/rules/types.ts';
import { AppError } from '#platform/http/errors.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { catalogStatus, TvCatalogAnswer } from '../answers/catalog.ts';
import { isRecord } from '#lib/json.ts';
import { readMembers } from '#lib/read.ts';
import { isComputable } from '#market/indicators/formulas/index.ts';
import type { App } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import type { IndicatorStore } from './store.ts';

/** The body of the answer; or a clause that completes the sentence "TradingView's list …". */
export type MetainfoResult = Result<unknown, string>;
export type Metainfo = () => Promise<MetainfoResult>;

const TIMEOUT_MS = 20_000;
/** Limit of bytes; the real list has 0.5 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

type Failure = Exclude<JsonOutcome, { kind: 'ok' }>;

const REASONS: Record<Exclude<Failure['kind'], 'httpError'>, string> = {
  timeout: 'did not arrive in time',
  tooLarge: 'is larger than expected',
  notJson: 'is not valid JSON',
  network: 'could not be fetched',
  aborted: 'could not be fetched',
};

const reasonOf = (failure: Failure): string =>
  failure.kind === 'httpError' ? `was answered with HTTP status ${failure.status}` : REASONS[failure.kind];

/**
 * Fetches the platform's public list of columns, without the cookie.
 * @param base address of the scanner, for example https://scanner.tradingview.com
 * @returns a function that never rejects
 */
export const createMetainfo =
  (base: string, http: HttpClient): Metainfo =>
  async () => {
    const outcome = await http.json({
      method: 'GET',
      url: `${withoutEndSlashes(base.trim())}/australia/metainfo`,
      endpoint: 'tradingview/australia/metainfo',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      headers: {
        accept: 'application/json',
        origin: 'https://www.tradingview.com',
        referer: 'https://www.tradingview.com/',
      },
    });
    return outcome.kind === 'ok' ? ok(outcome.body) : failed(reasonOf(outcome));
  };

type CatalogStatus = Wire<typeof catalogStatus>;

const KEY = 'tradingview';

/** A list with less than this share of the known families is rejected as wrong. */
const MIN_SHARE = 0.5;

/**
 * The families with the timeframes of the source. Values are computed from bars, which also offers three minutes,
 * unless the source has its own values.
 */
function offered(catalog: DatedCatalog, { source }: App): TvCatalogAnswer {
  const hasBars = !source.ownValues;
  const indicators: Record<string, Family> = {};
  const unavailable: string[] = [];
  for (const [slug, family] of Object.entries(catalog.indicators)) {
    const isServed = hasBars ? isComputable(family) : !['text', 'time'].includes(family.type);
    if (!isServed) unavailable.push(slug);
    const isComputed = hasBars && isServed;
    const timeframes = TIMEFRAMES.filter(
      (tf) => family.timeframes.includes(tf) || (isComputed && tf === '3' && family.timeframes.includes('1')),
    );
    indicators[slug] = { ...family, timeframes };
  }
  return {
    catalog: { ...catalog, indicators },
    timeframes: timeframeOptions(),
    unavailable,
  };
}

function saved(store: IndicatorStore, log: Log): DatedCatalog | null {
  const row = store.catalog(KEY);
  if (!row) return null;
  const parsed = parseMetainfo(row.fields);
  if (parsed.ok)
    return {
      indicators: parsed.value,
      fields: BROKER_FIELDS,
      fetchedAt: row.fetchedAt,
    };
  log.warn('Could not read the saved indicator catalog; using the built-in one', {
    reason: parsed.error,
  });
  return null;
}

const isMetaField = (value: unknown): value is MetaField => isRecord(value) && 'n' in value && 't' in value;

function fieldsToKeep(body: unknown): MetaField[] {
  const list: unknown = isRecord(body) && 'fields' in body ? body['fields'] : body;
  const fields = readMembers(list).filter(isMetaField);
  return fields.map(({ n, t }) => ({ n, t }));
}

/** The indicator catalog: the one fetched last, or the built-in one. */
export class CatalogKeeper {
  private readonly listeners = new Set<() => void>();
  /** Read when first used, so that the server starts sooner. */
  private read: TvCatalogAnswer | null = null;
  private running: Promise<CatalogStatus> | null = null;

  private readonly log: Log;

  constructor(
    private readonly app: App,
    private readonly store: IndicatorStore,
    private readonly metainfo: Metainfo,
  ) {
    this.log = app.log.child('indicators');
  }

  /** The catalog, and the families for which the source has no values. The same object until the catalog changes. */
  answer(): TvCatalogAnswer {
    this.read ??= offered(saved(this.store, this.log) ?? builtInCatalog(), this.app);
    return this.read;
  }

  /** An arrow function, so that it can be passed on. */
  readonly current = (): DatedCatalog => this.answer().catalog;

  status(): CatalogStatus {
    const { fetchedAt, indicators } = this.current();
    return { fetchedAt, totalIndicators: Object.keys(indicators).length };
  }

  /**
   * Fetches the platform's list, or waits for a running fetch.
   * @throws AppError 502 with the reason if the list is unusable; the old catalog stays
   */
  refresh(): Promise<CatalogStatus> {
    this.running ??= this.fetch().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  listen(listener: () => void): void {
    this.listeners.add(listener);
  }

  private async fetch(): Promise<CatalogStatus> {
    const fetched = await this.fetchUsable();
    if (!fetched.ok) {
      this.log.warn('Could not refresh the indicator catalog', {
        reason: fetched.error,
      });
      const message = `The indicator catalog was not changed: TradingView's list ${fetched.error}.`;
      throw new AppError(502, message);
    }
    this.read = offered(fetched.value, this.app);
    this.log.info('Refreshed the indicator catalog', {
      families: this.status().totalIndicators,
    });
    for (const listener of this.listeners) listener();
    return this.status();
  }

  /**
   * Fetches the platform's list and stores it if it is usable.
   *
   * @returns the new catalog; or a clause that completes the sentence "TradingView's list …"
   */
  private async fetchUsable(): Promise<Result<DatedCatalog, string>> {
    const fetched = await this.metainfo();
    if (!fetched.ok) return fetched;
    const parsed = parseMetainfo(fetched.value);
    if (!parsed.ok) return parsed;
    const found = Object.keys(parsed.value).length;
    const inUse = this.status().totalIndicators;
    if (found < inUse * MIN_SHARE) return failed(`has only ${found} indicator families instead of ${inUse}`);
    const fetchedAt = this.app.clock.now();
    this.store.saveCatalog(KEY, fetchedAt, fieldsToKeep(fetched.value));
    return ok({ indicators: parsed.value, fields: BROKER_FIELDS, fetchedAt });
  }
}
