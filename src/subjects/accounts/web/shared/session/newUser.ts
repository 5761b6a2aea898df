import { writeStored } from '#web/shared/storage.ts';
import { userOf } from './interruption.ts';

/** Where this browser keeps which hints a user has dismissed; null for a token that can't be read. */
export function hintsKey(token: string | null): string | null {
  const user = userOf(token);
  return user === null ? null : `bellbird.hints.${user}`;
}

/** Begins the hints of somebody who has just registered; anyone who has no list here gets none. */
export function beginHints(token: string): void {
  const key = hintsKey(token);
  if (key !== null) writeStored(key, []);
}
