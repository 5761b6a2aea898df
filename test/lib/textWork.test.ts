import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { isPageCode } from '../../scripts/pageCode.ts';
import { BOUNDED, FROM_OUTSIDE } from '../support/textPlaces.ts';
import { types } from '@babel/core';
import { parseSource } from '../support/parseSource.ts';

/** A place in the sources that does something with a text or a list whose cost grows with it. */
type TextWork = {
  /** `path name`, of the declaration at the file's top level that it stands in. */
  where: string;
  line: number;
  method: string;
};

/** Methods that put a text in order, take it apart or look through it, and those that put lists in order. */
const METHODS = new Set([
  ...['normalize', 'localeCompare', 'segment'],
  ...['split', 'match', 'matchAll', 'search', 'sort', 'toSorted'],
]);
/** What may be the name of a constructor of a slow comparison. */
const CONSTRUCTORS = new Set(['Collator', 'Segmenter']);

type Node = types.Node;

/** Whether an order compares numbers alone: differences of members, one after the other. */
function isNumeric(node: Node | null | undefined): boolean {
  if (!node) return false;
  if (node.type === 'ArrowFunctionExpression') return isNumeric(node.body);
  if (node.type === 'BinaryExpression') return node.operator === '-';
  if (node.type === 'LogicalExpression') return isNumeric(node.left) && isNumeric(node.right);
  return false;
}

/** A text that stands there itself, and what was read of one. */
function isWritten(node: Node): boolean {
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
  return (
    node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && isWritten(node.callee.object)
  );
}

function nameOf(statement: Node): string {
  const declared =
    statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
  if (declared.type === 'VariableDeclaration') {
    const [first] = declared.declarations;
    return first?.id.type === 'Identifier' ? first.id.name : '';
  }
  const { id } = declared as { id?: { name?: unknown } | null };
  return typeof id?.name === 'string' ? id.name : '';
}

function methodOf(node: Node): { method: string; object: Node; sent: readonly Node[] } | null {
  if (node.type === 'NewExpression') {
    const { callee, arguments: sent } = node;
    const method =
      callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
    return CONSTRUCTORS.has(method) ? { method, object: callee, sent } : null;
  }
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return null;
  const { callee, arguments: sent } = node;
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return null;
  if (callee.property.type !== 'Identifier' || !METHODS.has(callee.property.name)) return null;
  return { method: callee.property.name, object: callee.object, sent };
}

/** Every such place of a file, but for numbers that are put in order and texts that stand in the program itself. */
function findTextWork(path: string, text: string): TextWork[] {
  const found: TextWork[] = [];
  if (!/normalize|localeCompare|segment|split|match|search|ort\(|Collator|Segmenter/.test(text)) return found;
  const ast = parseSource(path, text);
  for (const statement of ast.program.body) {
    types.traverseFast(statement, (node) => {
      const call = methodOf(node);
      if (!call || isWritten(call.object)) return;
      const isSort = call.method === 'sort' || call.method === 'toSorted';
      if (isSort && isNumeric(call.sent[0])) return;
      found.push({
        where: `${path} ${nameOf(statement)}`.trim(),
        line: node.loc?.start.line ?? 0,
        method: call.method,
      });
    });
  }
  return found;
}

const root = join(import.meta.dir, '..', '..');

const server: TextWork[] = [];
const pages: TextWork[] = [];
for await (const path of new Bun.Glob('{src,web}/**/*.{ts,tsx}').scan({ cwd: root })) {
  const found = findTextWork(path, await Bun.file(join(root, path)).text());
  (isPageCode(path) ? pages : server).push(...found);
}
const described = (place: TextWork): string => `${place.where}: ${place.method} in line ${place.line}`;

describe('every place that takes a text apart or puts something in order', () => {
  test('is found', () => expect(server.length).toBeGreaterThan(60));

  test('is measured by the bench, or its bound is stated', () => {
    const known = new Set([...Object.keys(FROM_OUTSIDE), ...Object.keys(BOUNDED)]);
    // A new one of what comes from outside goes into FROM_OUTSIDE of test/support/textPlaces.ts, where `bun run bench texts`
    // measures it on hostile texts; any other into BOUNDED, with what bounds it.
    expect(server.filter(({ where }) => !known.has(where)).map(described)).toEqual([]);
  });

  test('and no other is listed as bounded', () => {
    const there = new Set(server.map(({ where }) => where));
    expect(Object.keys(BOUNDED).filter((where) => !there.has(where))).toEqual([]);
  });

  test('and normal forms, orders of names and what people see as a character have one place each', () => {
    const slow = new Set(['normalize', 'localeCompare', 'Collator', 'segment', 'Segmenter']);
    const places = [...server, ...pages].filter(({ method }) => slow.has(method)).map(({ where }) => where);
    expect([...new Set(places)].sort()).toEqual([
      'src/lib/unicode.ts compareNames',
      'src/lib/unicode.ts normalised',
      'src/platform/chatClients/messageText.ts fitted',
    ]);
  });
});

describe('the checks themselves find what they look for', () => {
  test.each([
    ["export const a = (b) => b.split('x');", 'a'],
    ["export function a(b) { return b?.normalize('NFC'); }", 'a'],
    ['const a = { b: (c) => [...c].sort() };', 'a'],
    ['const a = (b) => b.sort((c, d) => (c.e < d.e ? -1 : 1));', 'a'],
    ['class a { b(c) { return new Intl.Collator().compare(c, c); } }', 'a'],
    ['export const a = <p>{b.match(/c/)}</p>;', 'a'],
  ])('a place: %s', (code, name) =>
    expect(findTextWork('web/x.tsx', code).map(({ where }) => where)).toEqual([`web/x.tsx ${name}`]),
  );

  test.each([
    "export const a = 'b c'.split(' ');",
    'export const a = (b) => b.sort((c, d) => c.e - d.e || c.f - d.f);',
    '// a.normalize()',
  ])('no place: %s', (code) => expect(findTextWork('web/x.tsx', code)).toEqual([]));
});
