import { useState } from 'react';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { uniqueName } from '#web/shared/uniqueName.ts';
import { useLoaded, useReloads } from '#web/shared/useLoaded.ts';
import {
  type ChosenScan,
  oddsEntriesAnswer,
  oddsState,
  savedOdds,
  savedOddsAnswer,
} from '../answers/odds.ts';
import type { EntrySort } from '../rules/entryRows.ts';
import type { OddsSettings } from '../rules/settings.ts';

export type OddsState = Known<typeof oddsState>;
export type OddsEntry = Known<typeof oddsEntriesAnswer>['entries'][number];
export type SavedOdds = Known<typeof savedOdds>;

type EntriesQuery = { offset: number; limit: number; sort: EntrySort['by']; order: 'asc' | 'desc' };

export type OddsRequest = { scan: ChosenScan; settings: OddsSettings; subject?: string };

/** Delay after a change of the settings, ms, so that typing does not start a run for each digit. */
const PAUSE_MS = 250;

/** Delay before the odds are read again while the history is being made, ms. */
const AGAIN_MS = 4000;

/** Runs of other tabs continue. */
const TAB = uniqueName();

const readState = readerOf(oddsState);

/** Runs odds until they are done. @param show gets the state of the sessions so far */
async function runOdds(
  asked: OddsRequest,
  signal: AbortSignal,
  show: (state: OddsState) => void,
): Promise<OddsState> {
  let state = await request('POST /api/odds', { body: { ...asked, tab: TAB }, signal, read: readState });
  const { id } = state;
  try {
    while (!state.isDone && state.refused === null) {
      signal.throwIfAborted();
      show(state);
      state = await request('GET /api/odds/:id', { params: { id }, signal, read: readState });
    }
  } finally {
    // The next run of this tab cancels this one anyway, so a failure has no effect.
    if (signal.aborted)
      request('DELETE /api/odds/:id', { params: { id }, keepalive: true }).catch(() => undefined);
  }
  return state;
}

/** The odds, with those of the sessions so far while they run. The last ones stay until the next arrive. */
export function useOdds(asked: OddsRequest | null) {
  const of = asked && JSON.stringify(asked);
  const [partial, setPartial] = useState<{ of: string; state: OddsState } | null>(null);
  const { data, isCurrent, error, isLoading, reload } = useLoaded(
    (signal) => {
      if (asked === null || of === null) throw new Error('There is nothing to ask.');
      return runOdds(asked, signal, (state) => setPartial({ of, state }));
    },
    'The odds could not be computed. Try again.',
    { of, pauseMs: PAUSE_MS },
  );
  const isGrowing = !isLoading && isCurrent && data?.history?.making != null;
  useReloads(isGrowing, reload, AGAIN_MS);
  const isPartial = isLoading && !isCurrent && partial !== null && partial.of === of;
  const state = isPartial ? partial.state : data;
  return {
    state,
    /** True if the state belongs to other settings. */
    isOld: !isPartial && !isCurrent,
    isLoading,
    error: isLoading ? null : error,
    reload,
  };
}

/** A page of the entries of a finished run. */
export const fetchEntries = (id: string, query: EntriesQuery, signal: AbortSignal) =>
  request('GET /api/odds/:id/entries', {
    params: { id },
    query,
    signal,
    read: readerOf(oddsEntriesAnswer),
  });

export const fetchCsv = (id: string): Promise<Blob> =>
  request('GET /api/odds/:id/csv', { params: { id }, isFile: true });

export const fetchSavedOdds = () => request('GET /api/odds/saved', { read: readerOf(savedOddsAnswer) });

export const saveOdds = (asked: OddsRequest, name: string): Promise<SavedOdds> =>
  request('POST /api/odds/saved', { body: { ...asked, name }, read: readerOf(savedOdds) });

export async function deleteSavedOdds(id: number): Promise<void> {
  await request('DELETE /api/odds/saved/:id', { params: { id } });
}
