/** Version of the messages in Redis. Increase it for changes that older versions can't read. */
export const PROTOCOL = 2;

export type MarketMessage = {
  kind: 'market';
  epoch: string;
  seq: number | null;
  /** See `Message`: its place in the sequence, and how many earlier blocks it references. */
  place: number;
  reach: number;
  block: Uint8Array;
};

/** An event for one user's pages, readable by any client. */
export type AudienceMessage = { kind: 'audience'; audience: string; block: Uint8Array };

/** Some login sessions of a user ended. Relays ask the primary which. */
export type SessionsMessage = { kind: 'sessions'; userId: number };

type ClosingMessage = { kind: 'closing' };

/** Answers a relay that starts: the primary is alive. Not forwarded to pages. */
type PresenceMessage = { kind: 'presence' };

export type RelayMessage =
  | MarketMessage
  | AudienceMessage
  | SessionsMessage
  | ClosingMessage
  | PresenceMessage;

export type Position = { run: number; number: number };

export type Placed = { position: Position; relayMessage: RelayMessage };

/** Keys in Redis. They share a prefix, so that an ACL can restrict the user to them. */
export const MESSAGES_KEY = 'bellbird:frames';
export const SNAPSHOT_KEY = 'bellbird:snapshot';
export const LOCK_KEY = 'bellbird:lease';
export const PRIMARY_STREAMS_KEY = 'bellbird:streams';
export const QUESTION_KEY = 'bellbird:question';
const REPORT_PREFIX = 'bellbird:report:';
export const REPORT_PATTERN = `${REPORT_PREFIX}*`;

const REPORT_ID = /^[\w-]{1,64}$/;

export function reportKey(id: string): string {
  if (!REPORT_ID.test(id)) throw new Error('The id of a relay must have 1 to 64 letters, digits, _ or -.');
  return `${REPORT_PREFIX}${id}`;
}

export function reportId(key: string): string | null {
  const id = key.startsWith(REPORT_PREFIX) ? key.slice(REPORT_PREFIX.length) : '';
  return REPORT_ID.test(id) ? id : null;
}

export const entryId = ({ run, number }: Position): string => `${run}-${number}`;

export function readEntryId(id: string): Position | null {
  const [, run, number] = /^(\d{1,16})-(\d{1,16})$/.exec(id) ?? [];
  const position = { run: Number(run), number: Number(number) };
  return Number.isSafeInteger(position.run) && Number.isSafeInteger(position.number) ? position : null;
}
