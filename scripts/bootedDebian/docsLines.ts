import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dir, '..', '..', 'docs');
const docs = ['install', 'operate', 'update']
  .map((page) => readFileSync(join(folder, `${page}.md`), 'utf8'))
  .join('\n');

/**
 * Returns the shell lines of a guide, so that the tested lines are the documented ones.
 * @param heading of a section, without its marks
 * @param which block of the section: its number, from 0, or words in it
 * @throws Error if there is no such block
 */
export function docsLines(heading: string, which: number | string = 0): string {
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
  const texts = blocks.map((one) => one.join('\n'));
  const found = typeof which === 'number' ? texts[which] : texts.find((text) => text.includes(which));
  if (found === undefined) throw new Error(`The guides have no block ${which} under "${heading}".`);
  return found;
}
