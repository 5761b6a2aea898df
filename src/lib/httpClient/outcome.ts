import type { JsonProblem } from '../json.ts';

type Answered = { status: number; headers: Headers };

/** What may go wrong with any call to somebody else's server; expected, so it is a value and no exception. */
export type HttpFailure =
  /** Another status than 2xx, redirects included. `text` is the body, '' when there is too much of it. */
  | (Answered & { kind: 'httpError'; retryAfterMs: number | null; text: string })
  | (Answered & { kind: 'tooLarge'; maxBytes: number })
  | { kind: 'timeout'; afterMs: number }
  /** `code` names what broke the connection (ECONNREFUSED), null when nothing does. */
  | { kind: 'network'; code: string | null }
  /** The caller gave up. */
  | { kind: 'aborted' };

export type BytesOutcome = (Answered & { kind: 'ok'; body: Uint8Array<ArrayBuffer> }) | HttpFailure;

export type TextOutcome = (Answered & { kind: 'ok'; body: string }) | HttpFailure;

/** The body is parsed but not checked: its shape is the caller's to look at. */
export type JsonOutcome =
  | (Answered & { kind: 'ok'; body: unknown })
  | (Answered & { kind: 'notJson'; problem: JsonProblem })
  | HttpFailure;
