import type { Client } from './client.ts';
import type { OpeningTurns } from './openingTurns.ts';

/**
 * Openings that connections have not taken whole. Each costs memory until it is: a part of it that the connection has
 * copied, and the snapshot that it is from.
 */
export type Flights = {
  /** Whether there is room for one more of a client's address. */
  hasRoom(client: Client): boolean;
  /** Runs when there is room, in the order of asking; the result gives up. */
  whenRoom(client: Client, run: () => void): () => void;
  /** Takes a place. @returns what gives it back; safe to call twice */
  take(client: Client): () => void;
  /** Openings on their way, and those that wait. */
  figures(): { inFlight: number; waitingToOpen: number };
};

/** @param limits how many at once, and how many of one address; @param turns in which those begin that waited */
export function createFlights(limits: { all: number; perAddress: number }, turns: OpeningTurns): Flights {
  const byAddress = new Map<string, number>();
  const queue = new Set<{ client: Client; run: () => void }>();
  let all = 0;
  let isPlanned = false;

  const hasRoom = ({ address }: Client): boolean =>
    all < limits.all && (address === null || (byAddress.get(address) ?? 0) < limits.perAddress);

  function count(address: string | null, change: number): void {
    all += change;
    if (address === null) return;
    const own = (byAddress.get(address) ?? 0) + change;
    if (own > 0) byAddress.set(address, own);
    else byAddress.delete(address);
  }

  function plan(): void {
    if (isPlanned || queue.size === 0) return;
    isPlanned = true;
    turns.add(goOn);
  }

  /** One at a time: whether it takes a place is known only afterwards. */
  function goOn(): void {
    isPlanned = false;
    if (all >= limits.all) return;
    for (const entry of queue) {
      if (!hasRoom(entry.client)) continue;
      queue.delete(entry);
      entry.run();
      plan();
      return;
    }
  }

  return {
    hasRoom,
    whenRoom(client, run) {
      const entry = { client, run };
      queue.add(entry);
      return () => void queue.delete(entry);
    },
    take(client) {
      let isTaken = true;
      count(client.address, 1);
      return () => {
        if (!isTaken) return;
        isTaken = false;
        count(client.address, -1);
        plan();
      };
    },
    figures: () => ({ inFlight: all, waitingToOpen: queue.size }),
  };
}
