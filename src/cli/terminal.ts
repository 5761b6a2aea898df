import password from '@inquirer/password';
import { createInterface } from 'node:readline/promises';
import type { ReadStream, WriteStream } from 'node:tty';

/**
 * Asks a question at the terminal.
 * @param output where the prompt goes
 * @returns null without a terminal, or if the person gave up with Ctrl+C or Ctrl+D
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

/** Shows only the prompt. A mark for each letter would reveal the length. */
const PLAIN = {
  prefix: '',
  style: { message: (text: string) => text.trim(), answer: () => '', help: () => '' },
};

const END_OF_INPUT = '\u0004';

async function ask(input: ReadStream, output: WriteStream, message: string): Promise<string | null> {
  // The library ends on Ctrl+C, but waits forever on Ctrl+D.
  const givenUp = new AbortController();
  const waitForEnd = (chunk: Uint8Array | string): void => {
    if (chunk.toString().includes(END_OF_INPUT)) givenUp.abort();
  };
  input.on('data', waitForEnd);
  try {
    const { signal } = givenUp;
    return await password({ message, toggleMask: false, theme: PLAIN }, { input, output, signal });
  } catch (error) {
    if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name)) return null;
    throw error;
  } finally {
    input.off('data', waitForEnd);
  }
}

/**
 * Asks for a secret without echo, or reads the first line of a pipe.
 * @param output where the prompt goes
 * @returns null if there is none: Ctrl+C, Ctrl+D or an empty pipe
 */
export const readSecret = (input: ReadStream, output: WriteStream, prompt: string): Promise<string | null> =>
  input.isTTY ? ask(input, output, prompt) : firstLine(input);
