import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = readFileSync(join(import.meta.dir, '..', '..', 'docs', 'operations.md'), 'utf8');

/**
 * What the page for hosts says to type, so that what is tried is what is read.
 * @param heading of a section, without its marks @param index of the block of shell lines in it, from 0
 * @throws Error when the page has no such block any more
 */
export function docsLines(heading: string, index = 0): string {
  const lines = docs.split('\n');
  const begin = lines.findIndex((line) => line.startsWith('#') && line.endsWith(`# ${heading}`));
  const blocks: string[][] = [];
  let block: string[] | null = null;
  for (const line of begin < 0 ? [] : lines.slice(begin + 1)) {
    if (block === null && /^#+ /.test(line)) break;
    if (line === '```sh') block = [];
    else if (line === '```' && block !== null) {
      blocks.push(block);
      block = null;
    } else block?.push(line);
  }
  const found = blocks[index];
  if (found === undefined) throw new Error(`docs/operations.md has no block ${index} under "${heading}".`);
  return found.join('\n');
}
