import type { Position } from './frame.ts';

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
