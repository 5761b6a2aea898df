import { useEffect, useState } from 'react';
import { messageOf } from '../../api/client.ts';
import { type Headline, searchHeadlines } from '../../../src/subjects/announcements/web/shared/api.ts';
import { session } from '../../../src/subjects/accounts/web/shared/session/session.ts';

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

type Answer = Headlines & { typed: string };

const NONE: readonly Headline[] = [];
const NOTHING: Headlines = { found: NONE, isSearching: false, words: null };
const SEARCHING: Headlines = { found: NONE, isSearching: true, words: 'Searching headlines…' };
const FAILED = 'Headlines could not be searched';

/** The newest announcements whose headlines have the words that were typed, for who is signed in. */
export function useHeadlines(text: string): Headlines {
  const typed = text.trim();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { isAuthenticated } = session.value;
  const isSearched = isAuthenticated && typed.length >= MIN_TYPED && typed.length <= MAX_TYPED;
  useEffect(() => {
    if (!isSearched) return;
    const given = new AbortController();
    const search = async () => {
      let next: Headlines;
      try {
        next = { ...NOTHING, found: await searchHeadlines(typed, MAX_HEADLINES, given.signal) };
      } catch (problem) {
        next = { ...NOTHING, words: `${FAILED}. ${messageOf(problem, 'Try again.')}` };
      }
      // What was typed since then is another question.
      if (!given.signal.aborted) setAnswer({ typed, ...next });
    };
    const timer = setTimeout(() => void search(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [typed, isSearched]);
  if (!isSearched) return NOTHING;
  return answer?.typed === typed ? answer : SEARCHING;
}
