import type { RelayMessage, Placed, Position } from './relayMessage.ts';

export type RelayVersion = {
  protocol: number;
  version: string;
  commit: string;
};

/**
 * The whole state of the market's stream after a message, for a relay that starts. The next block references
 * no earlier ones (`SseChannel.beginAnew`).
 */
export type KeptSnapshot = RelayVersion & {
  position: Position;
  epoch: string;
  seq: number;
  streams: { all: number; perAddress: number };
  /** A `snapshot` event as JSON, raw deflate. */
  packed: Uint8Array;
};

/** Open streams of a process, which count towards the limits of all. */
export type OpenStreams = {
  pages: number;
  alertPages: number;
  /** Streams by address, only for addresses with at least a tenth of the limit (`leastTold`). */
  addresses: Record<string, number>;
  alertAddresses: Record<string, number>;
};

export type RelayReport = RelayVersion &
  OpenStreams & {
    id: string;
    name: string;
    startedAt: number;
    bytes: number;
    position: Position | null;
  };

/** The primary that holds the lock. `instance` identifies its data folder over restarts. */
export type PrimaryLock = { instance: string; name: string; since: number };

export type RedisListener = { up?(): void; down?(problem: string): void };

/** Every call rejects with an `EngineError` while Redis does not answer. */
export type Redis = {
  start(): void;
  stop(): Promise<void>;
  isUp(): boolean;
  problem(): string | null;
  listen(listener: RedisListener): void;

  publish(placed: Placed): Promise<void>;
  newest(): Promise<Position | null>;
  /** The newest position with the right seal; null if none of the newest entries has it. */
  newestSealed(): Promise<Position | null>;
  keepSnapshot(snapshot: KeptSnapshot): Promise<void>;
  /** Takes or renews the primary's lock. @returns null, or the holder */
  holdLock(lock: PrimaryLock): Promise<PrimaryLock | null>;
  releaseLock(instance: string): Promise<void>;
  /** Whether a relay requested a sign of life since the last call. */
  wasAsked(): Promise<boolean>;
  /** Publishes the primary's stream counts; null when it stops. */
  keepOwnStreams(own: OpenStreams | null): Promise<void>;
  reports(): Promise<RelayReport[]>;
  /** Age of each report, ms by Redis's clock; expired ones are missing. @param ids of relays */
  ages(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /**
   * Waits for messages after a position, oldest first; empty after the wait. Messages without the right seal
   * are skipped and logged once.
   * @param after null reads from the oldest stored message
   */
  read(after: Position | null, waitMs: number): Promise<Placed[]>;
  snapshot(): Promise<KeptSnapshot | null>;
  primaryStreams(): Promise<OpenStreams | null>;
  askForWord(): Promise<void>;
  report(report: RelayReport): Promise<void>;
  unreport(id: string): Promise<void>;
};

export type { RelayMessage, Placed, Position };

export const NO_STREAMS: OpenStreams = { pages: 0, alertPages: 0, addresses: {}, alertAddresses: {} };

/** The number of streams from which an address is reported. @param perAddress limit per address */
export const leastReported = (perAddress: number): number => Math.max(1, Math.ceil(perAddress / 10));

/** Number of market streams of several processes. @param address only its reported ones; null for all */
export const marketStreams = (all: readonly OpenStreams[], address: string | null): number =>
  all.reduce((sum, { pages, addresses }) => sum + (address === null ? pages : (addresses[address] ?? 0)), 0);

export const alertStreams = (all: readonly OpenStreams[], address: string | null): number =>
  all.reduce(
    (sum, { alertPages, alertAddresses }) =>
      sum + (address === null ? alertPages : (alertAddresses[address] ?? 0)),
    0,
  );
