import { join } from 'node:path';
import { types } from '@babel/core';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { REDACTION_RULES, SECRET_KEY } from '#lib/redact.ts';
import { FOREIGN_LETTERS } from '#subjects/accounts/rules/accountRules.ts';
import { parseSource } from './parseSource.ts';

export type FoundPattern = { where: string; pattern: RegExp };

const isConstructor = (callee: { type: string; name?: unknown }): boolean =>
  callee.type === 'Identifier' && callee.name === 'RegExp';

/**
 * What precedes the slash of a regular expression: a sign or a word before a value. It matches some slashes in texts and comments too, but it
 * spares the slow parser for files without any match.
 */
const MAY_HOLD_PATTERN =
  /[(,=:[!&|?;+~^-]\s{0,200}\/(?![/*])|(?:^|[{}>]|\b(?:return|typeof|case|in|of|void|delete|await|yield))\s{0,200}\/(?![/*>])|RegExp|\.(?:match|matchAll|search)\(/m;

/**
 * Every literal regular expression of a file, and the places that build one at run time (`new RegExp(…)`, or a text given to `match`, `matchAll` or
 * `search`).
 */
export function findPatterns(path: string, text: string): { found: FoundPattern[]; computed: string[] } {
  const found: FoundPattern[] = [];
  const computed: string[] = [];
  if (!MAY_HOLD_PATTERN.test(text)) return { found, computed };
  const ast = parseSource(path, text);
  const at = (node: { loc?: { start: { line: number } } | null }): string =>
    `${path}:${node.loc?.start.line ?? 0}`;
  // Without the scopes of Babel’s own traversal, which would take most of the time.
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

/** Patterns built at run time, by file. Everywhere else they are literals. */
export const COMPUTED: Readonly<Record<string, readonly RegExp[]>> = {
  'src/subjects/accounts/rules/accountRules.ts': FOREIGN_LETTERS,
  'src/lib/redact.ts': [SECRET_KEY, ...REDACTION_RULES.map(({ pattern }) => pattern)],
};

/** Every regular expression of `src` and `web`, and the places that build one at run time. */
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

export const parsePattern = ({ source, flags }: RegExp): AST.Pattern =>
  new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });

/** The quantifiers of a pattern without an upper limit, as written. */
export function unlimitedQuantifiers(pattern: RegExp): string[] {
  const unlimited: string[] = [];
  visitRegExpAST(parsePattern(pattern), {
    onQuantifierEnter: ({ max, raw }) => void (max === Number.POSITIVE_INFINITY && unlimited.push(raw)),
  });
  return unlimited;
}
