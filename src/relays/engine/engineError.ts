/**
 * Why the message engine did not do something: it does not answer, it has a frame at this position or a later one, it
 * is full, has not what was asked for, or it refused for another reason.
 */
export type EngineReason = 'down' | 'order' | 'full' | 'none' | 'refused';

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
