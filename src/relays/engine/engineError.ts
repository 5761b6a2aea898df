/**
 * Why the message engine did not do something: it does not answer, it has a frame at this position or a later one, it
 * is full, does not have the requested entry, has something of another kind under that name, or it refused for another reason.
 */
export type EngineReason = 'down' | 'order' | 'full' | 'none' | 'kind' | 'refused';

/** The message engine did not do what it was asked for; the message is a sentence for the operator. */
export class EngineError extends Error {
  override name = 'EngineError';

  constructor(
    message: string,
    readonly reason: EngineReason = 'refused',
  ) {
    super(message);
  }
}
