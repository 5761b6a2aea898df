/**
 * Counts the files of each folder and kind, their lines, and how many are imports, comments or blank. Usage: bun run
 * weight
 */
import { $ } from 'bun';

const IMPORTS = /^(?:import|export) [^;]*?from '[^']+'[^;]*;$|^import '[^']+';$/gm;
const COMMENTS = /^[ \t]*(?:\/\/.*|\/\*[^]*?\*\/)$/gm;
const COUNTED = ['files', 'lines', 'imports', 'comments', 'blank'] as const;

type Weight = Record<(typeof COUNTED)[number], number>;

const linesIn = (text: string, pattern: RegExp): number =>
  (text.match(pattern) ?? []).reduce((sum, match) => sum + match.split('\n').length, 0);

const weigh = (text: string): Weight => ({
  files: 1,
  lines: text.split('\n').length - 1,
  imports: linesIn(text, IMPORTS),
  comments: linesIn(text, COMMENTS),
  blank: text.match(/^[ \t]*\n/gm)?.length ?? 0,
});

const roomOf = (path: string): string => /^src\/subjects\/\w+|^\w+\/\w+(?=\/)|^\w+/.exec(path)?.[0] ?? path;

const weights = new Map<string, Weight>();
const list = await $`git ls-files -- src web scripts test`.text();
for (const path of list.split('\n').filter((name) => /\.(tsx?|css)$/.test(name))) {
  const more = weigh(await Bun.file(path).text());
  const [top = ''] = path.split('/');
  const kind = path.split('.').at(-1);
  for (const name of [
    roomOf(path),
    `${top} in all`,
    ...(top === 'src' || top === 'web' ? [`source, ${kind}`, 'source'] : []),
  ]) {
    const sum = weights.get(name) ?? { files: 0, lines: 0, imports: 0, comments: 0, blank: 0 };
    for (const one of COUNTED) sum[one] += more[one];
    weights.set(name, sum);
  }
}
console.table(Object.fromEntries([...weights].sort(([a], [b]) => (a < b ? -1 : 1))));
