/** When a request came last with each login session, in memory: the disk is written once for many requests. */
export type LastSeen = {
  /** @param now epoch ms */
  note(sessionId: string, now: number): void;
  /** When the session was noted since the last `take`, epoch ms; undefined when it was not. */
  of(sessionId: string): number | undefined;
  /** Gives all that was noted, and forgets it. */
  take(): ReadonlyMap<string, number>;
};

/** There are no more good sessions than people and their devices: the map is as large as an hour's visitors. */
export function createLastSeen(): LastSeen {
  let seen = new Map<string, number>();
  return {
    note: (sessionId, now) => void seen.set(sessionId, now),
    of: (sessionId) => seen.get(sessionId),
    take() {
      const taken = seen;
      seen = new Map();
      return taken;
    },
  };
}

declare module '#platform/app.ts' {
  interface App {
    lastSeen: LastSeen;
  }
}
