import { Glob } from 'bun';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dir, '..', '..');

export type Guide = { page: string; text: string };

const read = (page: string): Guide => ({ page, text: readFileSync(join(root, page), 'utf8') });

export const guides: readonly Guide[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...[...new Glob('docs/*.md').scanSync(root)].sort(),
].map(read);

/** The guides, and one page per decision. */
export const docs: readonly Guide[] = [
  ...guides,
  ...[...new Glob('docs/decisions/*.md').scanSync(root)].sort().map(read),
];

export type Block = { page: string; line: number; language: string; code: string };

/** The fenced code blocks of a page, including those in lists, without their indent. */
export function fencedBlocks({ page, text }: Guide): Block[] {
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm)].map((found) => {
    const [, indent = '', language = '', code = ''] = found;
    const line = text.slice(0, found.index).split('\n').length;
    return { page, line, language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}
