import { join } from 'node:path';
import { types } from '@babel/core';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { REDACTION_RULES, SECRET_KEY } from '../../src/lib/redact.ts';
import { FOREIGN_LETTERS } from '../../src/subjects/accounts/rules/nameRules.ts';
import { parseSource } from './parseSource.ts';

/** A regular expression as it stands in a source file. */
export type FoundPattern = { where: string; pattern: RegExp };

const isConstructor = (callee: { type: string; name?: unknown }): boolean =>
  callee.type === 'Identifier' && callee.name === 'RegExp';

/**
 * What stands before the slash of a regular expression: a sign or a word after which a value begins. It finds some slashes
 * of texts and comments too, but nothing but a file without any is spared the parser, which takes long.
 */
const MAY_HOLD_PATTERN =
  /[(,=:[!&|?;+~^-]\s{0,200}\/(?![/*])|(?:^|[{}>]|\b(?:return|typeof|case|in|of|void|delete|await|yield))\s{0,200}\/(?![/*>])|RegExp|\.(?:match|matchAll|search)\(/m;

/**
 * Every regular expression that a file writes down, and the places where one is put together at run time
 * (`new RegExp(…)`, or a text given to `match`, `matchAll` or `search`).
 */
export function findPatterns(path: string, text: string): { found: FoundPattern[]; computed: string[] } {
  const found: FoundPattern[] = [];
  const computed: string[] = [];
  if (!MAY_HOLD_PATTERN.test(text)) return { found, computed };
  const ast = parseSource(path, text);
  const at = (node: { loc?: { start: { line: number } } | null }): string =>
    `${path}:${node.loc?.start.line ?? 0}`;
  // Without the scopes that Babel's own traversal makes, which take longer than all else here.
  types.traverseFast(ast, (node) => {
    if (node.type === 'RegExpLiteral')
      found.push({ where: at(node), pattern: new RegExp(node.pattern, node.flags) });
    if (node.type === 'NewExpression' && isConstructor(node.callee)) computed.push(at(node));
    if (node.type !== 'CallExpression') return;
    const { callee, arguments: sent } = node;
    const method =
      callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
    const isText = /^(?:StringLiteral|TemplateLiteral)$/.test(sent[0]?.type ?? '');
    if (isConstructor(callee) || (isText && /^(?:match|matchAll|search)$/.test(method)))
      computed.push(at(node));
  });
  return { found, computed };
}

/** Patterns that are put together at run time, by file. Everywhere else they are literals. */
export const COMPUTED: Readonly<Record<string, readonly RegExp[]>> = {
  'src/subjects/accounts/rules/nameRules.ts': FOREIGN_LETTERS,
  'src/lib/redact.ts': [SECRET_KEY, ...REDACTION_RULES.map(({ pattern }) => pattern)],
};

/** Every regular expression of `src` and `web`, and the places where one is put together at run time. */
export async function patternsOfProgram(): Promise<{ found: FoundPattern[]; computed: string[] }> {
  const root = join(import.meta.dir, '..', '..');
  const found: FoundPattern[] = [];
  const computed: string[] = [];
  for await (const path of new Bun.Glob('{src,web}/**/*.{ts,tsx}').scan({ cwd: root })) {
    const inFile = findPatterns(path, await Bun.file(join(root, path)).text());
    found.push(...inFile.found);
    computed.push(...inFile.computed);
  }
  for (const [path, patterns] of Object.entries(COMPUTED)) {
    found.push(...patterns.map((pattern, index) => ({ where: `${path} (computed, ${index})`, pattern })));
  }
  return { found: found.sort((a, b) => (a.where < b.where ? -1 : 1)), computed };
}

const parse = ({ source, flags }: RegExp): AST.Pattern =>
  new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });

/** The quantifiers of a pattern that have no upper limit, as they are written. */
export function unlimitedQuantifiers(pattern: RegExp): string[] {
  const unlimited: string[] = [];
  visitRegExpAST(parse(pattern), {
    onQuantifierEnter: ({ max, raw }) => void (max === Number.POSITIVE_INFINITY && unlimited.push(raw)),
  });
  return unlimited;
}

/** Characters of every kind, to find one that a set takes. */
const CANDIDATES = [...'a1A -._/:="\'[{+,;|@#?&<%\\\n\t\u0001\ufeff\u2212€'];

/** The least repeats that a sample shows of an element; more would only make it longer. */
const MAX_SHOWN = 40;

function sampleOf(node: AST.Element, flags: string): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const one = new RegExp(`^(?:${node.raw})$`, flags.replaceAll(/[gy]/g, ''));
      return CANDIDATES.find((candidate) => one.test(candidate)) ?? '';
    }
    case 'Group':
    case 'CapturingGroup':
      return sequenceOf(node.alternatives[0]?.elements ?? [], flags);
    case 'Quantifier':
      return sampleOf(node.element, flags).repeat(Math.min(Math.max(node.min, 1), MAX_SHOWN));
    default:
      // An assertion takes no characters; a reference repeats what was taken before.
      return '';
  }
}

const sequenceOf = (elements: readonly AST.Element[], flags: string): string =>
  elements.map((element) => sampleOf(element, flags)).join('');

/**
 * Texts that a pattern may find hard: each piece of what it looks for, and each beginning of it, repeated, after each
 * beginning of a match, with an end that fits nothing.
 * @param length about how long each is
 */
export function hardTexts(pattern: RegExp, length: number): string[] {
  const pieces = new Set<string>();
  const beginnings = new Set<string>(['']);
  visitRegExpAST(parse(pattern), {
    onAlternativeEnter: ({ elements }) => {
      elements.forEach((element, index) => {
        const sample = sampleOf(element, pattern.flags);
        const upToHere = sequenceOf(elements.slice(0, index + 1), pattern.flags);
        for (const piece of [sample, upToHere, `${sample}${sample}`, `${sample} `, ` ${upToHere}`]) {
          pieces.add(piece);
        }
        beginnings.add(upToHere);
      });
    },
    onQuantifierEnter: ({ element }) => void pieces.add(sampleOf(element, pattern.flags)),
  });
  return [...pieces]
    .filter((piece) => piece !== '')
    .flatMap((piece) => {
      const repeated = piece.repeat(Math.ceil(length / piece.length));
      return [...beginnings].slice(0, 6).map((beginning) => `${beginning}${repeated}\u0000`);
    });
}
