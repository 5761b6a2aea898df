/** The lines that are kept of what a program printed last. */
const MAX_LINES = 60;
const MAX_LINE = 500;

export type OutputTail = {
  /** Hands a stream on, and keeps its last lines. Resolves at its end. */
  follow(stream: ReadableStream<Uint8Array>, pass: (bytes: Uint8Array) => void): Promise<void>;
  /** The last lines of all streams, oldest first, redacted. */
  lines(): string[];
};

/** @param redact hides secrets in a line: a program that crashes prints what no log has looked at */
export function createOutputTail(redact: (line: string) => string): OutputTail {
  const kept: string[] = [];
  const keep = (line: string): void => {
    if (line.trim() === '') return;
    // Cut before it is looked at: a line without end must not cost more than others.
    kept.push(redact(line.slice(0, MAX_LINE)));
    if (kept.length > MAX_LINES) kept.shift();
  };
  return {
    async follow(stream, pass) {
      const decoder = new TextDecoder();
      let rest = '';
      for await (const bytes of stream) {
        pass(bytes);
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = (lines.pop() ?? '').slice(0, MAX_LINE);
        for (const line of lines) keep(line);
      }
      keep(rest);
    },
    lines: () => [...kept],
  };
}
