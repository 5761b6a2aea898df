import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { picturesByStory } from '../../scripts/screenshots.ts';
import { docs, root } from '../support/guides.ts';

test('every picture of the docs is taken by a story, and every picture that is taken is in the docs', () => {
  const shown = docs.flatMap(({ text }) => text.match(/(?<=screenshots\/)[\w-]+(?=\.png)/g) ?? []);
  const kept = readdirSync(join(root, 'docs', 'screenshots'))
    .filter((name) => name.endsWith('.png'))
    .map((name) => name.replace('.png', ''));
  const taken = [...picturesByStory().keys()].sort();
  expect(taken.length).toBeGreaterThan(10);
  expect([...new Set(shown)].sort()).toEqual(taken);
  expect(kept.sort()).toEqual(taken);
});
