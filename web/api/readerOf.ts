import type { Field } from '#lib/contract/fields.ts';
import { isRecord } from '#lib/json.ts';
import { ApiError, NETWORK_ERROR } from './client.ts';

/**
 * The reader of an answer, as its contract has it: `request('GET /api/calls/mine', { read: readerOf(mineAnswer) })`.
 * @returns a function that throws ApiError for what is no such answer
 */
export const readerOf =
  <K>({ form, read }: Field<unknown, K>) =>
  (body: unknown): NonNullable<K> => {
    const isAnswer = form.is === 'list' ? Array.isArray(body) : isRecord(body);
    const known = isAnswer ? read(body) : null;
    // What the answer is of no use without is missing: some proxy answered in the server's place.
    if (known == null) throw new ApiError(NETWORK_ERROR, 502, body);
    return known;
  };
