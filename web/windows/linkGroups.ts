import { readRecord, readText } from '#lib/read.ts';

/** Groups of linked windows. Numbers distinguish them without colour. */
export const LINK_GROUPS = [
  { id: 'gold', number: 1, name: 'Gold' },
  { id: 'blue', number: 2, name: 'Blue' },
  { id: 'purple', number: 3, name: 'Purple' },
  { id: 'teal', number: 4, name: 'Teal' },
  { id: 'pink', number: 5, name: 'Pink' },
  { id: 'brown', number: 6, name: 'Brown' },
] as const;

export type LinkGroup = (typeof LINK_GROUPS)[number]['id'];
/** A window's group; `none` neither leads nor follows. */
export type LinkChoice = LinkGroup | 'none';

/** The initial group of main windows and charts, so that the first chart follows without set-up. */
export const FIRST_GROUP: LinkGroup = 'gold';

const groupOf = (value: unknown): LinkGroup | null => LINK_GROUPS.find(({ id }) => id === value)?.id ?? null;

/** Null for an unknown group, for example of another version. */
export const readLinkChoice = (value: unknown): LinkChoice | null =>
  value === 'none' ? 'none' : groupOf(value);

/** Messages between linked windows of one browser. `code` is an ASX code. */
export type LinkMessage =
  | { type: 'choose'; group: LinkGroup; code: string }
  /** Sent by a new member to get the group's last stock. */
  | { type: 'ask'; group: LinkGroup }
  /** Asks one of the group's chart windows to come to the front with this stock. */
  | { type: 'show'; group: LinkGroup; code: string; request: string }
  | { type: 'shown'; request: string; window: string };

/** Reads a code; null if it is invalid. No market has codes longer than twelve characters. */
export function readCode(value: unknown): string | null {
  const code = readText(value)?.trim().toUpperCase() ?? '';
  return /^[A-Z0-9.]{1,12}$/.test(code) ? code : null;
}

/** Null for an unknown message, for example of another version. */
export function readLinkMessage(data: unknown): LinkMessage | null {
  const message = readRecord(data);
  const { type } = message;
  const [request, name] = [readText(message.request), readText(message.window)];
  if (type === 'shown') return request === null || name === null ? null : { type, request, window: name };
  const [group, code] = [groupOf(message.group), readCode(message.code)];
  if (group === null) return null;
  if (type === 'ask') return { type, group };
  if (code === null) return null;
  if (type === 'choose') return { type, group, code };
  return type === 'show' && request !== null ? { type, group, code, request } : null;
}
