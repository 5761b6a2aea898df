import type { Frame, Placed, Position } from './frame.ts';

/** What a program of another version may be told apart by. */
export type RelayVersion = {
  /** The form of what goes through the engine; programs of different protocols have nothing to say to each other. */
  protocol: number;
  version: string;
  commit: string;
};

/**
 * The whole state of the market's stream at a frame, for a relay that starts. The block after that frame refers to none
 * before it (`SseChannel.beginAnew`), so that a relay can read it that knows nothing earlier.
 */
export type KeptSnapshot = RelayVersion & {
  /** The frame that it includes last. */
  position: Position;
  epoch: string;
  /** The number of the event that it includes last. */
  seq: number;
  /** Streams that may be open at once, over all relays and the primary. */
  streams: { all: number; perAddress: number };
  /** The data of a `snapshot` event as JSON, packed by raw deflate. */
  packed: Uint8Array;
};

/** Streams that a process has open, which count towards the limits of all. */
export type OpenStreams = {
  /** Of the market, and of alerts. */
  pages: number;
  alertPages: number;
  /** The same by address, of those addresses alone that have a tenth of what one may have (`leastTold`). */
  addresses: Record<string, number>;
  alertAddresses: Record<string, number>;
};

/** What a relay tells of itself, every other second. */
export type RelayReport = RelayVersion &
  OpenStreams & {
    id: string;
    /** Where it runs. */
    name: string;
    /** Epoch ms by the relay's own clock. */
    startedAt: number;
    /** Bytes given to pages since the start. */
    bytes: number;
    /** The frame that it gave last; null before the first. */
    position: Position | null;
  };

/** Who publishes; the same data folder has the same `instance` over restarts. */
export type PrimaryLease = { instance: string; name: string; since: number };

/** Tells of the connection to the engine. */
export type EngineListener = { up?(): void; down?(problem: string): void };

/** What both sides ask of the message engine. Every call is refused with an `EngineError` while the engine does not answer. */
export type Engine = {
  start(): void;
  stop(): Promise<void>;
  isUp(): boolean;
  /** Why it is not up; null while it is. */
  problem(): string | null;
  listen(listener: EngineListener): void;

  /** Appends a frame; refused when one at this position, or a later one, is there. */
  publish(placed: Placed): Promise<void>;
  /** The position of the frame that was published last by anybody; null when there is none. */
  newest(): Promise<Position | null>;
  /** The position of the newest frame that was sealed with the secret; null when none of the newest entries is one. */
  newestSealed(): Promise<Position | null>;
  keepSnapshot(snapshot: KeptSnapshot): Promise<void>;
  /** Takes or keeps the lease of the one primary. @returns null, or who holds it */
  holdLease(lease: PrimaryLease): Promise<PrimaryLease | null>;
  releaseLease(instance: string): Promise<void>;
  /** Whether a relay asked for a word of the primary since the last call, however many did and however often. */
  wasAsked(): Promise<boolean>;
  /** Tells the relays of the primary's own streams; null when it has none any more, because it stops. */
  keepOwnStreams(own: OpenStreams | null): Promise<void>;
  /** What the relays that are there told last. */
  reports(): Promise<RelayReport[]>;
  /** How long ago relays told, ms by the engine's clock; those that are gone are left out. @param ids of relays */
  ages(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /**
   * The frames after a position, oldest first, as soon as there are any; none after the wait. What was not sealed with the
   * secret is left out and told to the log once.
   * @param after null reads from the oldest that is kept
   */
  read(after: Position | null, waitMs: number): Promise<Placed[]>;
  snapshot(): Promise<KeptSnapshot | null>;
  /** Streams that the primary itself has open, as it told last; null when it is gone. */
  primaryStreams(): Promise<OpenStreams | null>;
  /** Asks the primary to say at once that it is there, by a frame. */
  askForWord(): Promise<void>;
  report(report: RelayReport): Promise<void>;
  /** The relay is leaving. */
  unreport(id: string): Promise<void>;
};

export type { Frame, Placed, Position };

export const NO_STREAMS: OpenStreams = { pages: 0, alertPages: 0, addresses: {}, alertAddresses: {} };

/** An address with fewer streams is not told of. @param perAddress how many one may have */
export const leastTold = (perAddress: number): number => Math.max(1, Math.ceil(perAddress / 10));

/** Streams of the market that several processes have open: of an address as far as they tell of it, null for all. */
export const marketStreams = (all: readonly OpenStreams[], address: string | null): number =>
  all.reduce((sum, { pages, addresses }) => sum + (address === null ? pages : (addresses[address] ?? 0)), 0);

/** The same of streams of alerts. */
export const alertStreams = (all: readonly OpenStreams[], address: string | null): number =>
  all.reduce(
    (sum, { alertPages, alertAddresses }) =>
      sum + (address === null ? alertPages : (alertAddresses[address] ?? 0)),
    0,
  );
