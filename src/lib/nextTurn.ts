/** Resolves in the next turn of the event loop, so that others come in between the parts of long work. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
