import type { HttpClient, JsonOutcome } from '#lib/httpClient/client.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { withoutEndSlashes } from '#lib/text.ts';

/** The body as it came; or a clause that completes the sentence "TradingView's list …". */
export type MetainfoResult = Result<unknown, string>;
export type Metainfo = () => Promise<MetainfoResult>;

const TIMEOUT_MS = 20_000;
/** The real list has 0.5 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

type Failure = Exclude<JsonOutcome, { kind: 'ok' }>;

const REASONS: Record<Exclude<Failure['kind'], 'httpError'>, string> = {
  timeout: 'did not come in time',
  tooLarge: 'is larger than any real one',
  notJson: 'is not valid JSON',
  network: 'could not be fetched',
  aborted: 'could not be fetched',
};

const reasonOf = (failure: Failure): string =>
  failure.kind === 'httpError' ? `came with HTTP status ${failure.status}` : REASONS[failure.kind];

/**
 * Asks the platform for its list of columns. Without the configured cookie: the list is public.
 * @param base address of the scanner, e.g. https://scanner.tradingview.com
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
