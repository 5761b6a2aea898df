import { createInterface } from 'node:readline/promises';
import type { ReadStream, WriteStream } from 'node:tty';

/**
 * Asks for a line at a terminal.
 *
 * @param output where the prompt goes
 * @returns null without a terminal, and if the person gave up with Ctrl+C or Ctrl+D
 */
export async function askPerson(
  input: ReadStream,
  output: WriteStream,
  prompt: string,
): Promise<string | null> {
  if (!input.isTTY) return null;
  const lines = createInterface({ input, output });
  const { promise: givenUp, resolve } = Promise.withResolvers<null>();
  lines.once('close', () => resolve(null));
  try {
    return await Promise.race([lines.question(prompt), givenUp]);
  } finally {
    lines.close();
  }
}
