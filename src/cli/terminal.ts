import password from '@inquirer/password';
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

async function firstLine(input: ReadStream): Promise<string | null> {
  let text = '';
  input.setEncoding('utf8');
  for await (const chunk of input) {
    text += String(chunk);
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end).replace(/\r$/, '');
  }
  return text === '' ? null : text;
}

/** Nothing but the prompt is shown: neither a mark for each letter, which would tell the length, nor decoration. */
const PLAIN = {
  prefix: '',
  style: { message: (text: string) => text.trim(), answer: () => '', help: () => '' },
};

const END_OF_INPUT = '\u0004';

async function ask(input: ReadStream, output: WriteStream, message: string): Promise<string | null> {
  // The library ends at Ctrl+C; at Ctrl+D it would wait for ever.
  const givenUp = new AbortController();
  const lookForEnd = (chunk: Uint8Array | string): void => {
    if (chunk.toString().includes(END_OF_INPUT)) givenUp.abort();
  };
  input.on('data', lookForEnd);
  try {
    const { signal } = givenUp;
    return await password({ message, toggleMask: false, theme: PLAIN }, { input, output, signal });
  } catch (error) {
    if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name)) return null;
    throw error;
  } finally {
    input.off('data', lookForEnd);
  }
}

/**
 * Asks for a secret: at a terminal without showing it, else takes the first line of what is piped in.
 * @param output where the prompt goes
 * @returns null when there is none: given up with Ctrl+C or Ctrl+D, or nothing piped in
 */
export const readSecret = (input: ReadStream, output: WriteStream, prompt: string): Promise<string | null> =>
  input.isTTY ? ask(input, output, prompt) : firstLine(input);
