/** The form of what goes through the message engine. It grows with every change that an older program can't read. */
export const PROTOCOL = 2;

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
type ClosingFrame = { kind: 'closing' };

/** The primary is there and has nothing else to say: a relay that starts asked for a word. Pages are told nothing of it. */
type PresenceFrame = { kind: 'presence' };

/** What the primary tells all relays, in one order. */
export type Frame = MarketFrame | AudienceFrame | SessionsFrame | ClosingFrame | PresenceFrame;

/** Where a frame stands: the primary's connection to the engine, and the number of the frame in it, from 1. */
export type Position = { run: number; number: number };

export type Placed = { position: Position; frame: Frame };

/** Under which names things are kept in the message engine. All begin alike, so that a user of it can be held to them. */
export const FRAMES_KEY = 'bellbird:frames';
export const SNAPSHOT_KEY = 'bellbird:snapshot';
export const LEASE_KEY = 'bellbird:lease';
/** Streams of the primary itself. */
export const PRIMARY_STREAMS_KEY = 'bellbird:streams';
export const QUESTION_KEY = 'bellbird:question';
const REPORT_PREFIX = 'bellbird:report:';
export const REPORT_PATTERN = `${REPORT_PREFIX}*`;

const REPORT_ID = /^[\w-]{1,64}$/;

/** Where the report of a relay is kept. @throws for an id that is not of letters, digits, _ and - */
export function reportKey(id: string): string {
  if (!REPORT_ID.test(id)) throw new Error('The id of a relay has 1 to 64 letters, digits, _ and -.');
  return `${REPORT_PREFIX}${id}`;
}

/** The relay whose report is kept there; null for another name. */
export function reportId(key: string): string | null {
  const id = key.startsWith(REPORT_PREFIX) ? key.slice(REPORT_PREFIX.length) : '';
  return REPORT_ID.test(id) ? id : null;
}

/** A position as the engine names it. */
export const entryId = ({ run, number }: Position): string => `${run}-${number}`;

/** @returns null for what is no position, or has numbers too large to be counted on */
export function readEntryId(id: string): Position | null {
  const [, run, number] = /^(\d{1,16})-(\d{1,16})$/.exec(id) ?? [];
  const position = { run: Number(run), number: Number(number) };
  return Number.isSafeInteger(position.run) && Number.isSafeInteger(position.number) ? position : null;
}
