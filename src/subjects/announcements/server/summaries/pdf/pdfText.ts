import { readText } from '#lib/http.ts';
import { parseJson } from '#lib/json.ts';
import { lowerPriority, ownCommand } from '#lib/processes.ts';

/**
 * Limit of characters, about 5,000 tokens. With instructions and answer they fit into the 8,192 of small local models,
 * and the first pages contain what matters.
 */
export const MAX_TEXT = 20_000;

/** Limit of wall time, ms; a busy machine may delay the process. */
const TIMEOUT_MS = 60_000;
/** Limit of processor time, s. A page takes some ms, ten times that on a small board. */
const CPU_SECONDS = 15;
/** Limit of memory. Usual documents need 60 MB, picture books 200. */
const MEMORY_KIB = 512 * 1024;

/** Limit of output; a character may take six bytes in JSON. */
const MAX_OUTPUT_BYTES = MAX_TEXT * 6 + 2;

const OWN_COMMAND = ownCommand('pdf-text');

/** A shell command that sets limits, which the kernel enforces. */
const LIMITED = `ulimit -t ${CPU_SECONDS}; ulimit -d ${MEMORY_KIB}; ulimit -c 0; exec "$0" "$@"`;

export type PdfReading = {
  signal: AbortSignal;
  command?: readonly string[];
  timeoutMs?: number;
};

function start(bytes: Uint8Array, { signal, command = OWN_COMMAND, timeoutMs = TIMEOUT_MS }: PdfReading) {
  const child = Bun.spawn(['/bin/sh', '-c', LIMITED, ...command], {
    stdin: bytes,
    stdout: 'pipe',
    stderr: 'ignore',
    // The process gets none of the server's settings, and sends no crash reports about a document.
    env: { DO_NOT_TRACK: '1', BUN_ENABLE_CRASH_REPORTING: '0' },
    cwd: '/',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    signal,
  });
  lowerPriority(child);
  return child;
}

/**
 * Extracts the text of a PDF in a process with limited time and memory and without access to the server, because a
 * document can make its reader hang or crash.
 * @returns at most `MAX_TEXT` characters; null if it cannot be read within the limits
 */
export async function pdfText(bytes: Uint8Array, reading: PdfReading): Promise<string | null> {
  try {
    await using child = start(bytes, reading);
    const output = await readText(child.stdout, MAX_OUTPUT_BYTES);
    if (output === null) return null;
    if ((await child.exited) !== 0) return null;
    const parsed = parseJson(output);
    return parsed.ok && typeof parsed.value === 'string' ? parsed.value : null;
  } catch {
    // If the shell or the process cannot start, there is no text.
    return null;
  }
}
