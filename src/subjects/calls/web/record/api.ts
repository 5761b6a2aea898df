import { recordAnswer } from '#subjects/calls/answers/board.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';

type ReadRecord = Known<typeof recordAnswer>;
/** One source of a submitter's record as it was read. */
export type ReadSource = ReadRecord['records'][number];

/** What a submitter's verified results say. @throws ApiError; 404 for nobody of that name */
export const fetchRecord = (name: string): Promise<ReadRecord> =>
  request('GET /api/calls/by/:name', { params: { name }, read: readerOf(recordAnswer) });
