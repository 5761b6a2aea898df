/** Why an update does not go on: a sentence for the administrator, and what a program printed, if one was at fault. */
export class UpdateError extends Error {
  override name = 'UpdateError';
  constructor(
    message: string,
    readonly tail: readonly string[] = [],
  ) {
    super(message);
  }
}
