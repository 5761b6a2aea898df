/** Why a route that reads much may refuse, in the words of the documentation. */
export const OFTEN = 'Asked too often, or much of the caller’s waits to be read; `Retry-After` says when.';
export const BUSY = 'Much waits to be read, of all callers.';
export const LOADING_OR_BUSY = 'The market is still loading, or much waits to be read.';
