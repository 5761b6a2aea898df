import type { ReadStream } from 'node:tty';

const ENTER = new Set(['\r', '\n']);
const BACKSPACE = new Set(['\u007f', '\b']);
const CANCEL = new Set(['\u0003', '\u0004']);

/** Reads keys from a terminal without showing them; null when the person gives up with Ctrl+C or Ctrl+D. */
async function readHidden(input: ReadStream): Promise<string | null> {
  let typed = '';
  input.setRawMode(true);
  try {
    for await (const chunk of input) {
      for (const key of String(chunk)) {
        if (ENTER.has(key)) return typed;
        if (CANCEL.has(key)) return null;
        typed = BACKSPACE.has(key) ? typed.slice(0, -1) : typed + key;
      }
    }
    return null;
  } finally {
    input.setRawMode(false);
  }
}

async function firstLine(input: ReadStream): Promise<string | null> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end).replace(/\r$/, '');
  }
  return text === '' ? null : text;
}

/** Asks for a secret: hidden at a terminal, else the first line of what is piped in. */
export async function readSecret(
  input: ReadStream,
  write: (text: string) => void,
  prompt: string,
): Promise<string | null> {
  input.setEncoding('utf8');
  if (!input.isTTY) return firstLine(input);
  write(prompt);
  const typed = await readHidden(input);
  write('\n');
  return typed;
}
