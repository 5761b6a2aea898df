import { AppError } from '../http/errors.ts';
import type { ModelError } from './model.ts';

export const MODEL_BUSY = 'The model is busy with other questions. Ask again in a moment.';
export const MODEL_STOPPING = 'Bellbird is restarting. Ask again in a minute.';

/** The status of a failure: 504 for a timeout, 503 for a rate limit, otherwise 502. */
export const modelRefusal = (error: ModelError): AppError =>
  new AppError(error.kind === 'timeout' ? 504 : error.kind === 'limited' ? 503 : 502, error.message, {
    cause: error,
  });
