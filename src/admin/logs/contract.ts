import { done, file, numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { logsAnswer, TAIL_LINES, tailAnswer } from './answers/logs.ts';

const params = object({ name: text });
const NO_FILE = 'There is no such log file.';
const OFTEN = 'Too many downloads or deletions in one minute.';
const EXAMPLE = { name: 'bellbird.log' };

/** The log files (specification 7.7). */
export const LOGS = {
  'GET /api/admin/logs': {
    access: 4,
    tag: 'Hosting',
    summary: 'List log files',
    answer: logsAnswer,
    example: {},
  },
  'GET /api/admin/logs/:name/tail': {
    access: 4,
    tag: 'Hosting',
    summary: 'Read the end of a log file',
    description: 'To follow the file, send the last answer’s `file` and `end` as `file` and `after`.',
    params,
    query: object({
      lines: optional(
        sent(numeric, {
          minimum: TAIL_LINES.min,
          maximum: TAIL_LINES.max,
          multipleOf: 1,
          default: TAIL_LINES.default,
          error: `The number of lines must be a whole number from ${TAIL_LINES.min} to ${TAIL_LINES.max}.`,
        }),
      ),
      /** With `file`: only text after this byte offset. Both are from an earlier answer. */
      after: optional(
        sent(numeric, {
          minimum: 0,
          multipleOf: 1,
          error: '`after` must be a position from an earlier answer.',
        }),
      ),
      file: optional(sent(text, { maxLength: 100 })),
    }),
    answer: tailAnswer,
    refusals: { 404: NO_FILE },
    example: { params: EXAMPLE, query: { lines: '100' } },
  },
  'GET /api/admin/logs/:name/download': {
    access: 4,
    tag: 'Hosting',
    summary: 'Download a log file',
    params,
    answer: file,
    answerType: 'text/plain',
    refusals: { 404: NO_FILE, 429: OFTEN },
    example: { params: EXAMPLE },
  },
  'DELETE /api/admin/logs/:name': {
    access: 4,
    tag: 'Hosting',
    summary: 'Empty a log file',
    params,
    answer: object({ cleared: done }),
    refusals: { 404: NO_FILE, 429: OFTEN },
    example: { params: EXAMPLE },
  },
} as const satisfies RouteContracts;
