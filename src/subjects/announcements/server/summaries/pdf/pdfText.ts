import { readText } from '#lib/http.ts';
import { parseJson } from '#lib/json.ts';
import { lowerPriority, ownCommand } from '#lib/processes.ts';

/**
 * Characters of a document that are read, about 5,000 tokens: with instructions and answer they fit into the 8,192 that
 * small local models hold, and what an announcement announces stands on its first pages.
 */
export const MAX_TEXT = 20_000;

/** By the clock: a busy machine may let it wait. */
const TIMEOUT_MS = 60_000;
/** A page takes some milliseconds, ten times that on a small board. The limit holds also when this server is gone. */
const CPU_SECONDS = 15;
/** Documents of the usual kind take 60 MB, picture books 200. */
const MEMORY_KIB = 512 * 1024;

/** A character may take six bytes in JSON. */
const MAX_OUTPUT_BYTES = MAX_TEXT * 6 + 2;

/** This program, with the command that reads a PDF. */
const OWN_COMMAND = ownCommand('pdf-text');

/** The kernel holds the limits, whatever the process does; the shell only sets them and is gone. */
const LIMITED = `ulimit -t ${CPU_SECONDS}; ulimit -d ${MEMORY_KIB}; ulimit -c 0; exec "$0" "$@"`;

export type PdfReading = {
  signal: AbortSignal;
  /** For tests. */
  command?: readonly string[];
  timeoutMs?: number;
};

function start(bytes: Uint8Array, { signal, command = OWN_COMMAND, timeoutMs = TIMEOUT_MS }: PdfReading) {
  const child = Bun.spawn(['/bin/sh', '-c', LIMITED, ...command], {
    stdin: bytes,
    stdout: 'pipe',
    stderr: 'ignore',
    // None of the server's settings, and no report of a crash that a document caused.
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
 * The text of a PDF, read in a process of its own that may take neither long nor much memory and knows nothing of the
 * server: a document can be made to hang or to blow up anyone who reads it.
 * @returns at most `MAX_TEXT` characters; null when it can't be read within the limits
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
    // No shell, no process to be had: the caller does without the document.
    return null;
  }
}
