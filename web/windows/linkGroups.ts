import { readRecord, readText } from '#lib/read.ts';

/** The groups in which windows follow each other. The number tells them apart where the colour does not. */
export const LINK_GROUPS = [
  { id: 'gold', number: 1, name: 'Gold' },
  { id: 'blue', number: 2, name: 'Blue' },
  { id: 'purple', number: 3, name: 'Purple' },
  { id: 'teal', number: 4, name: 'Teal' },
  { id: 'pink', number: 5, name: 'Pink' },
  { id: 'brown', number: 6, name: 'Brown' },
] as const;

export type LinkGroup = (typeof LINK_GROUPS)[number]['id'];
/** What a window is in; `none` neither leads nor follows. */
export type LinkChoice = LinkGroup | 'none';

/** Main windows and charts begin in it, so that the first chart follows without any set-up. */
export const FIRST_GROUP: LinkGroup = 'gold';

const groupOf = (value: unknown): LinkGroup | null => LINK_GROUPS.find(({ id }) => id === value)?.id ?? null;

/** Null for what is no group, as of another version. */
export const readLinkChoice = (value: unknown): LinkChoice | null =>
  value === 'none' ? 'none' : groupOf(value);

/** What linked windows of one browser tell each other. `code` is an ASX code. */
export type LinkMessage =
  /** A stock was chosen in a window of this group. */
  | { type: 'choose'; group: LinkGroup; code: string }
  /** A window that has come into this group asks which stock was chosen last. */
  | { type: 'ask'; group: LinkGroup }
  /** A chart of this stock is wanted: one of the group's chart windows is to come to the front with it. */
  | { type: 'show'; group: LinkGroup; code: string; request: string }
  /** A chart window of this name did so. */
  | { type: 'shown'; request: string; window: string };

/** A code as it is compared; null for text that can't be one: no market has codes longer than twelve characters. */
export function readCode(value: unknown): string | null {
  const code = readText(value)?.trim().toUpperCase() ?? '';
  return /^[A-Z0-9.]{1,12}$/.test(code) ? code : null;
}

/** What another window said; null for what a window of another version may say that this one does not know. */
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
