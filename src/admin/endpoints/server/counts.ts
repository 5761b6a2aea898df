import type { HttpCall } from '../../../lib/httpClient/client.ts';

/** Calls of one method to one endpoint on one Sydney day. Times are epoch ms. */
export type EndpointCount = {
  /** YYYY-MM-DD. */
  date: string;
  method: string;
  endpoint: string;
  count: number;
  errors: number;
  totalMs: number;
  slowestMs: number;
  lastAt: number;
  lastSuccessAt: number | null;
  /** What went wrong last, in a few words; null when nothing did. */
  lastError: string | null;
};

/** What names an endpoint beyond those that are kept apart. */
export const OTHERS = '(others)';

/** A call in the words of the list; null for one that went well, or that the server itself gave up, such as at its stop. */
export function errorOf({ outcome, status }: Pick<HttpCall, 'outcome' | 'status'>): string | null {
  switch (outcome) {
    case 'ok':
    case 'aborted':
      return null;
    case 'httpError':
      return `HTTP ${status ?? 'error'}`;
    case 'timeout':
      return 'No answer in time';
    case 'network':
      return 'Not reached';
    case 'tooLarge':
      return 'Answer too large';
    case 'notJson':
      return 'Answer is not JSON';
  }
}

/** One call as a count of its own. @param at epoch ms */
export function countOf(call: HttpCall, date: string, at: number): EndpointCount {
  const { method, endpoint, outcome, durationMs } = call;
  const error = errorOf(call);
  const ms = Math.max(0, Math.round(durationMs));
  return {
    ...{ date, method, endpoint, count: 1, errors: error === null ? 0 : 1 },
    ...{ totalMs: ms, slowestMs: ms, lastAt: at, lastSuccessAt: outcome === 'ok' ? at : null },
    lastError: error,
  };
}

/** Both together. @param later what was counted after `earlier`: its times and its error are the last ones */
export const joined = (earlier: EndpointCount, later: EndpointCount): EndpointCount => ({
  ...later,
  count: earlier.count + later.count,
  errors: earlier.errors + later.errors,
  totalMs: earlier.totalMs + later.totalMs,
  slowestMs: Math.max(earlier.slowestMs, later.slowestMs),
  lastSuccessAt: later.lastSuccessAt ?? earlier.lastSuccessAt,
  lastError: later.lastError ?? earlier.lastError,
});

export const keyOf = ({ date, method, endpoint }: Pick<EndpointCount, 'date' | 'method' | 'endpoint'>) =>
  `${date} ${method} ${endpoint}`;
