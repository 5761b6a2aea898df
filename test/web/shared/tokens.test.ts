import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { colours, contrast, oklchToLinear, parseTokens } from '../../support/contrast.ts';

const blocks = parseTokens(
  readFileSync(new URL('../../../web/styles/tokens.css', import.meta.url).pathname, 'utf8'),
);
const grounds = ['--ground', '--surface', '--raised'];
const pairs: [text: string, ground: string, atLeast: number][] = [
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['--text', ground, 7],
    ['--text-muted', ground, 4.5],
    ['--up', ground, 4.5],
    ['--down', ground, 4.5],
    ['--flat', ground, 4.5],
    ['--warn', ground, 4.5],
    ['--stale', ground, 4.5],
    ['--focus', ground, 3],
    ['--line-strong', ground, 3],
    ['--average-short', ground, 4.5],
    ['--average-medium', ground, 4.5],
    ['--average-long', ground, 4.5],
  ]),
  ['--accent-text', '--accent', 7],
  ...['gold', 'blue', 'purple', 'teal', 'pink', 'brown'].map((group): [string, string, number] => [
    '--accent-text',
    `--group-${group}`,
    4.5,
  ]),
  ['--text', '--accent-soft', 7],
  ['--text', '--up-soft', 7],
  ['--text', '--down-soft', 7],
  ['--text', '--warn-soft', 7],
  ['--text', '--stale-soft', 7],
  ['--up', '--up-soft', 4.5],
  ['--down', '--down-soft', 4.5],
  ['--warn', '--warn-soft', 4.5],
  ['--stale', '--stale-soft', 4.5],
  ['--text-muted', '--accent-soft', 4.5],
];

test('the measure itself: black on white is 21 to 1, and OKLCH red is sRGB red', () => {
  expect(contrast(oklchToLinear(0, 0, 0), oklchToLinear(1, 0, 0))).toBeCloseTo(21, 1);
  const [r, g, b] = oklchToLinear(0.62796, 0.25768, 29.234);
  expect(r).toBeCloseTo(1, 2);
  expect(g).toBeCloseTo(0, 2);
  expect(b).toBeCloseTo(0, 2);
});

for (const theme of ['dark', 'light']) {
  for (const directions of ['green-red', 'blue-orange', 'monochrome']) {
    describe(`${theme}, ${directions}`, () => {
      const found = colours(blocks, theme, directions);
      test.each(pairs)('%s on %s has a contrast of at least %d', (text, ground, atLeast) => {
        const one = found.get(text);
        const other = found.get(ground);
        if (!one || !other) throw new Error(`${text} or ${ground} is not an opaque OKLCH token`);
        expect(contrast(one, other)).toBeGreaterThanOrEqual(atLeast);
      });
    });
  }
}
