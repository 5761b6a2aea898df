import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { api, unwrap } from '../../../../web/api/client.ts';
import { readSnapshot, readSummary, type StateSnapshot, type StateSummary } from './readState.ts';

/** The inspector says what failed in its own words, whatever the server says. */
async function inOwnWords<T>(loading: Promise<T>, sentence: string): Promise<T> {
  try {
    return await loading;
  } catch (cause) {
    throw new Error(sentence, { cause });
  }
}

/** Every part of the server with its figures. @throws Error with the sentence to show */
export const fetchSummary = (): Promise<StateSummary> =>
  inOwnWords(unwrap(api.admin['internal-state'].get(), readSummary), ADMIN_MESSAGES.loadInternalState);

/** What a part holds. @throws Error with the sentence to show */
export const fetchSnapshot = (key: string): Promise<StateSnapshot> =>
  inOwnWords(
    unwrap(api.admin['internal-state']({ key: encodeURIComponent(key) }).get(), readSnapshot),
    ADMIN_MESSAGES.loadSnapshot,
  );
