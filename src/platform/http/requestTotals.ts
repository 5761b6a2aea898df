import type { CountedRequest } from './requestCounts.ts';

/** Answered requests since the start. */
export type RequestClasses = { '2xx': number; '3xx': number; '4xx': number; '5xx': number; other: number };

/** Counts every request by class of status and by route; memory is bounded by the routes there are. */
export function createRequestTotals() {
  const classes: RequestClasses = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, other: 0 };
  const routes = new Map<string, number>();
  const classOf = (status: number): keyof RequestClasses => {
    const name = `${Math.floor(status / 100)}xx`;
    return name in classes ? (name as keyof RequestClasses) : 'other';
  };
  return {
    add({ status, route }: CountedRequest): void {
      classes[classOf(status)] += 1;
      routes.set(route, (routes.get(route) ?? 0) + 1);
    },
    byClass: (): RequestClasses => ({ ...classes }),
    /** The most frequent first. */
    byRoute: (): Record<string, number> => Object.fromEntries([...routes].sort(([, a], [, b]) => b - a)),
  };
}
