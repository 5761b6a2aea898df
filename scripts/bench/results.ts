import { join } from 'node:path';
import type { Row } from './row.ts';

const FILE = join(import.meta.dir, '../../docs/benchmarks.md');

const HEAD = `# Benchmarks

What \`bun run bench\` measured last, each part with the machine and the command of its run. The numbers to reach
are for 2 cores; a busy machine measures worse. \`bun run bench --help\` lists the parts.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

function section(part: string, rows: readonly Row[], machine: string, date: string): string {
  const lines = rows.map(({ what, measured, target, ok }) => {
    const result = ok === null ? '' : ok ? 'yes' : '**no**';
    return `| ${cell(what)} | ${cell(measured)} | ${cell(target)} | ${result} |`;
  });
  return [
    `## ${part}`,
    '',
    `\`bun run bench ${part}\` on ${date}, ${machine}.`,
    '',
    '| What | Measured | To reach | Reached |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

export async function keepResults(result: {
  part: string;
  rows: readonly Row[];
  machine: string;
}): Promise<void> {
  const file = Bun.file(FILE);
  const known = (await file.exists()) ? await file.text() : HEAD;
  const [, ...sections] = known.split(/^## /m);
  const others = new Map(sections.map((text) => [text.split('\n')[0] ?? '', `## ${text.trimEnd()}\n`]));
  const date = new Date().toISOString().slice(0, 10);
  others.set(result.part, section(result.part, result.rows, result.machine, date));
  await Bun.write(FILE, [HEAD, ...others.values()].join('\n'));
}
