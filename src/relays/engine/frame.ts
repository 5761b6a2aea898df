/** A block of the market's stream, as every page is given it: an event, or a ping between two. */
export type MarketFrame = {
  kind: 'market';
  /** Of the event ids in this block, which names the run of the primary. */
  epoch: string;
  /** The event's number in its epoch; null for a ping, which has none. */
  seq: number | null;
  /** See `Message`: its place in the sequence, and how many blocks before it it refers to. */
  place: number;
  reach: number;
  block: Uint8Array;
};

/** An event for one user's pages alone, as a block that any client can read. */
export type AudienceFrame = { kind: 'audience'; audience: string; block: Uint8Array };

/** Some of a user's login sessions have ended: which, only the primary knows. */
export type SessionsFrame = { kind: 'sessions'; userId: number };

/** The primary is stopping: pages are to come back shortly. */
export type ClosingFrame = { kind: 'closing' };

/** The primary is there and has nothing else to say: a relay that starts asked for a word. Pages are told nothing of it. */
export type PresenceFrame = { kind: 'presence' };

/** What the primary tells all relays, in one order. */
export type Frame = MarketFrame | AudienceFrame | SessionsFrame | ClosingFrame | PresenceFrame;

/** Where a frame stands: the primary's connection to the engine, and the number of the frame in it, from 1. */
export type Position = { run: number; number: number };

export type Placed = { position: Position; frame: Frame };
