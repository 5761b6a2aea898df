import { AppError } from '../http/errors.ts';
import type { ModelError } from './model.ts';

export const MODEL_BUSY = 'The model is busy with other questions. Ask again in a moment.';
export const MODEL_STOPPING = 'Bellbird is being restarted. Ask again in a minute.';

/** What a failure of the model is to anyone who asked: 504 where it took too long, 503 where it takes no more, else 502. */
export const modelRefusal = (error: ModelError): AppError =>
  new AppError(error.kind === 'timeout' ? 504 : error.kind === 'limited' ? 503 : 502, error.message, {
    cause: error,
  });
