import type { HttpFailure } from '#lib/httpClient/client.ts';
import { waitText } from '#lib/rateLimit.ts';
import { NEVER_CONNECTED } from '../chatClients/platformCall.ts';
import { ModelError, type ModelUsage } from './model.ts';

function limited(retryAfterMs: number | null): ModelError {
  const when =
    retryAfterMs === null
      ? 'in a few minutes'
      : `in ${waitText(Math.max(1, Math.ceil(retryAfterMs / 1000)))}`;
  return new ModelError('limited', `The model server refuses further requests for now. Try again ${when}.`);
}

/** @param status of a failure that a changed request can't avoid */
function statusError(status: number, retryAfterMs: number | null): ModelError {
  if (status === 429) return limited(retryAfterMs);
  if (status === 401 || status === 403) {
    return new ModelError(
      'refused',
      'The model server rejected the key in BELLBIRD_AI_KEY. Set a valid one.',
    );
  }
  if (status === 404) {
    return new ModelError(
      'refused',
      'The model server does not have this model or address. Check BELLBIRD_AI_MODEL and BELLBIRD_AI_URL.',
    );
  }
  if (status === 413) return tooLongError();
  if (status >= 500) {
    if (retryAfterMs !== null) return limited(retryAfterMs);
    return new ModelError('unreachable', `The model server failed with status ${status}. Try again later.`);
  }
  if (status < 400) {
    return new ModelError(
      'unusable',
      'The model server redirects to another address. Check BELLBIRD_AI_URL.',
    );
  }
  return new ModelError('refused', `The model server refused the request with status ${status}.`);
}

/**
 * The error of a failed call to the model server.
 * @param spent the cost of the request once the server has it, even without an answer
 */
export function failureError(outcome: HttpFailure, spent: ModelUsage): ModelError {
  switch (outcome.kind) {
    case 'timeout':
      return timeoutError(spent);
    case 'aborted':
      return notWaitedForError(spent);
    case 'network':
      return outcome.code !== null && NEVER_CONNECTED.has(outcome.code)
        ? new ModelError('unreachable', 'The model server cannot be reached. Try again later.')
        : new ModelError(
            'cutOff',
            'The model server closed the connection before its answer was complete. Try again later.',
            spent,
          );
    case 'tooLarge':
      return tooLargeError(spent);
    case 'httpError':
      return statusError(outcome.status, outcome.retryAfterMs);
  }
}

export const timeoutError = (spent?: ModelUsage): ModelError =>
  new ModelError('timeout', 'The model did not answer in time. Try again later.', spent);

export const notWaitedForError = (spent?: ModelUsage): ModelError =>
  new ModelError('cutOff', 'The answer was interrupted.', spent);

export const unusableError = (spent?: ModelUsage): ModelError =>
  new ModelError('unusable', 'The model server did not send a usable answer.', spent);

export const tooLargeError = (spent?: ModelUsage): ModelError =>
  new ModelError('unusable', 'The model server sent an answer that is too large.', spent);

/** An error that the server reported within an answer that had begun well. */
export const brokenError = (): ModelError =>
  new ModelError('cutOff', 'The model server failed in the middle of the answer. Try again later.');

export const noToolsError = (): ModelError =>
  new ModelError('noTools', 'The model server does not support tools.');

/** Whether a server refused the length of a request. Another form would not help. */
export const isTooLongError = (reason: string): boolean =>
  /context|too long|too large|maximum.{0,20}length/i.test(reason);

/** @param reason of the server, only inspected because it may repeat the request */
export const refusedError = (status: number, reason: string): ModelError =>
  isTooLongError(reason) ? tooLongError() : statusError(status, null);

const tooLongError = (): ModelError => new ModelError('tooLong', 'The text is too long for the model.');
