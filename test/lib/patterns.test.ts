import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { FOREIGN_LETTERS } from '../../src/subjects/accounts/rules/nameRules.ts';
import { REDACTION_RULES, SECRET_KEY } from '../../src/lib/redact.ts';
import { growsTooFast } from '../support/growth.ts';
import { findPatterns, type FoundPattern, hardTexts, unlimitedQuantifiers } from '../support/patterns.ts';

const root = join(import.meta.dir, '..', '..');

/** Files that put patterns together out of parts, and what comes of it. Everywhere else they are written down. */
const COMPUTED: Readonly<Record<string, readonly RegExp[]>> = {
  'src/subjects/accounts/rules/nameRules.ts': FOREIGN_LETTERS,
  'src/lib/redact.ts': [SECRET_KEY, ...REDACTION_RULES.map(({ pattern }) => pattern)],
};

async function patternsOfProgram(): Promise<{ found: FoundPattern[]; computed: string[] }> {
  const found: FoundPattern[] = [];
  const computed: string[] = [];
  for (const folder of ['src', 'web']) {
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan({ cwd: root })) {
      const inFile = findPatterns(path, await Bun.file(join(root, path)).text());
      found.push(...inFile.found);
      computed.push(...inFile.computed);
    }
  }
  for (const [path, patterns] of Object.entries(COMPUTED)) {
    found.push(...patterns.map((pattern, index) => ({ where: `${path} (computed, ${index})`, pattern })));
  }
  return { found: found.sort((a, b) => (a.where < b.where ? -1 : 1)), computed };
}

const LONG = 16_000;

/** Every use goes through the whole text: replacing is the use that ends last. */
const replacing = (pattern: RegExp, text: string) => () => text.replace(pattern, '');

function isSlowOn(pattern: RegExp, text: string): boolean {
  // With the end that fits nothing.
  const part = (length: number) => replacing(pattern, text.slice(0, length) + text.slice(-1));
  return growsTooFast({
    sixteenth: part(LONG / 16),
    quarter: part(LONG / 4),
    whole: replacing(pattern, text),
  });
}

/** The first text that the pattern takes too long for, shortened; null when there is none. */
function slowText(pattern: RegExp): string | null {
  const text = hardTexts(pattern, LONG).find((hard) => isSlowOn(pattern, hard));
  return text === undefined ? null : JSON.stringify(text.slice(0, 60));
}

const { found, computed } = await patternsOfProgram();

describe('every regular expression of the program', () => {
  test('is found', () => {
    expect(found.length).toBeGreaterThan(60);
    expect(computed.filter((where) => !Object.keys(COMPUTED).includes(where.split(':')[0] ?? ''))).toEqual(
      [],
    );
  });

  for (const { where, pattern } of found) {
    test(`${where} ${pattern.source.slice(0, 60)}`, () => {
      expect(unlimitedQuantifiers(pattern)).toEqual([]);
      expect(slowText(pattern)).toBeNull();
    });
  }
});

describe('the checks themselves find what they look for', () => {
  test.each([/[\w-]*(?:password|secret)=/g, /\/+$/, /^(?<prefix>.+?)_(?<value>\d+(?:_\d+)*)$/])(
    'a pattern that walks through the rest of the text at each letter: %s',
    (pattern) => {
      expect(slowText(pattern)).not.toBeNull();
    },
  );

  test('quantifiers without a limit, but not signs in a set or limited ones', () => {
    expect(unlimitedQuantifiers(/^a*b+c{2,}(?:d+?)$/)).toEqual(['a*', 'b+', 'c{2,}', 'd+?']);
    expect(unlimitedQuantifiers(/^[*+]\+a{1,20}b?$/)).toEqual([]);
  });

  test.each([
    'f(/ab/);',
    'export const a = /ab/;',
    'export const a = [/ab/, /b/];',
    'export const a = { b: /ab/ };',
    'export const a = () => /ab/;',
    'export const a =\n  /ab/;',
    'function a() { return /ab/; }',
    'export const a = b ? /ab/ : null;',
    'export const a = !/ab/.test(b) && (b || /ab/);',
    'switch (true) { case /ab/.test(b): }',
    'const a = b => {}\n/ab/.test(c);',
    'export const a = <p>{/ab/.test(b)}</p>;',
  ])('a pattern wherever one can stand: %s', (code) => {
    expect(findPatterns('web/a.tsx', code).found.map(({ pattern }) => pattern.source)).toContain('ab');
  });

  test('patterns in code, but not in comments or texts; those put together at run time', () => {
    const code = [
      '// /in a comment+/',
      "export const text = '/in a text+/';",
      'export const own = <p>{name.replace(/a+/g, "")}</p>;',
      'export const made = new RegExp(`^${own}`);',
      "export const more = [RegExp('x'), name.match('a+'), name.split('b')];",
    ].join('\n');
    const { found: inCode, computed: made } = findPatterns('web/a.tsx', code);
    expect(inCode.map(({ where, pattern }) => [where, String(pattern)])).toEqual([['web/a.tsx:3', '/a+/g']]);
    expect(made).toEqual(['web/a.tsx:4', 'web/a.tsx:5', 'web/a.tsx:5']);
  });
});
