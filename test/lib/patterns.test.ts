import { describe, expect, test } from 'bun:test';
import { COMPUTED, findPatterns, patternsOfProgram, unlimitedQuantifiers } from '../support/patterns.ts';

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
    });
  }
});

describe('the checks detect', () => {
  test('quantifiers without a limit, but not characters in a set or limited ones', () => {
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
  ])('a pattern in any position: %s', (code) => {
    expect(findPatterns('web/a.tsx', code).found.map(({ pattern }) => pattern.source)).toContain('ab');
  });

  test('patterns in code, but not in comments or texts, and those built at run time', () => {
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
