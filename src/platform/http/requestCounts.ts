import type { LogProperties } from '#lib/log.ts';

export type RequestClasses = { '2xx': number; '3xx': number; '4xx': number; '5xx': number; other: number };

/** Counts requests by class of status and by route. The number of routes bounds the memory. */
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
    byRoute: (): Record<string, number> => Object.fromEntries([...routes].sort(([, a], [, b]) => b - a)),
  };
}

type CountedRequest = { status: number; route: string };

/** The most frequent of each kind. The rest is one entry. */
const MAX_KINDS = 8;

const addTo = (counts: Map<string, number>, kind: string): void =>
  void counts.set(kind, (counts.get(kind) ?? 0) + 1);

/** '/api/login 12, /healthz 3': the most frequent first. */
function countsText(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, MAX_KINDS).map(([kind, count]) => `${kind} ${count}`);
  const others = sorted.slice(MAX_KINDS).reduce((sum, [, count]) => sum + count, 0);
  return [...shown, ...(others === 0 ? [] : [`others ${others}`])].join(', ');
}

/**
 * Counts requests that have no log line of their own. The number of routes bounds the memory; unknown addresses
 * count together.
 */
export function createRequestCounts() {
  const byStatus = new Map<string, number>();
  const byRoute = new Map<string, number>();
  let count = 0;
  return {
    add({ status, route }: CountedRequest): void {
      count += 1;
      addTo(byStatus, String(status));
      addTo(byRoute, route);
    },
    /** The counts since the last call, for one line of the log; null if there are none. */
    take(): LogProperties | null {
      if (count === 0) return null;
      const taken = { count, byStatus: countsText(byStatus), byRoute: countsText(byRoute) };
      byStatus.clear();
      byRoute.clear();
      count = 0;
      return taken;
    },
  };
}
