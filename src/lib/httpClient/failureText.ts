import type { HttpFailure } from './outcome.ts';

/** What a status other than 2xx means, completing "<name> …". */
export function statusText(status: number): string {
  if (status === 429) return 'asks to slow down (HTTP 429)';
  if (status === 401 || status === 403) return `refuses the request (HTTP ${status})`;
  if (status >= 300 && status < 400) return `redirects elsewhere (HTTP ${status})`;
  return `answered HTTP ${status}`;
}

/**
 * Why a call has no usable answer, completing "<name> …"; it holds neither address nor header.
 * @param describeStatus for a provider whose refusals mean something particular
 */
export function failureText(failure: HttpFailure, describeStatus = statusText): string {
  switch (failure.kind) {
    case 'httpError':
      return describeStatus(failure.status);
    case 'timeout':
      return `did not answer within ${Math.round(failure.afterMs / 100) / 10} seconds`;
    case 'tooLarge':
      return `sent an answer larger than ${failure.maxBytes / 1024 / 1024} MB`;
    case 'network':
      return failure.code === null ? 'could not be reached' : `could not be reached (${failure.code})`;
    case 'aborted':
      return 'could not be reached';
  }
}
