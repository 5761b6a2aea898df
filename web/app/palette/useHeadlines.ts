import { type Headline, searchHeadlines } from '#subjects/announcements/web/shared/api.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';

/** Somebody who types goes on within this time. */
export const TYPING_MS = 250;
/** So that they stay in sight below what else was found. */
const MAX_HEADLINES = 8;
/** What the server searches for, characters. */
const MIN_TYPED = 2;
const MAX_TYPED = 80;

export type Headlines = {
  found: readonly Headline[];
  /** Whether an answer is still to come. */
  isSearching: boolean;
  /** How the search is, in words; null when there is nothing to say. */
  words: string | null;
};

const NONE: readonly Headline[] = [];
const NOTHING: Headlines = { found: NONE, isSearching: false, words: null };
const SEARCHING: Headlines = { found: NONE, isSearching: true, words: 'Searching headlines…' };
const FAILED = 'Headlines could not be searched';

/** The newest announcements whose headlines have the words that were typed, for who is signed in. */
export function useHeadlines(text: string): Headlines {
  const typed = text.trim();
  const { isAuthenticated } = session.value;
  const isSearched = isAuthenticated && typed.length >= MIN_TYPED && typed.length <= MAX_TYPED;
  const { data, isCurrent, error } = useLoaded(
    (signal) => searchHeadlines(typed, MAX_HEADLINES, signal),
    'Try again.',
    { of: isSearched ? typed : null, pauseMs: TYPING_MS },
  );
  if (!isSearched) return NOTHING;
  if (error !== null) return { ...NOTHING, words: `${FAILED}. ${error}` };
  return isCurrent && data !== null ? { ...NOTHING, found: data } : SEARCHING;
}
