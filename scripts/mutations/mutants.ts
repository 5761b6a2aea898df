import { types } from '@babel/core';
import { parseSource } from '#support/parseSource.ts';

/** One small fault: `text` replaces the range from `start` to `end`. */
export type Mutant = { start: number; end: number; text: string };

type Node = types.Node;

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};

const COMMENTS = /\/\*[^]*?\*\/|\/\/.*/g;

const isText = (node: Node): boolean =>
  types.isStringLiteral(node) ||
  types.isTemplateLiteral(node) ||
  (types.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

function mutantsOf(node: Node, source: string): Mutant[] {
  const textOf = ({ start, end }: Node): string => source.slice(start ?? 0, end ?? 0);
  const replaced = ({ start, end }: Node, text: string): Mutant[] => [
    { start: start ?? 0, end: end ?? 0, text },
  ];
  if (types.isBinaryExpression(node) || types.isLogicalExpression(node)) {
    const operator = OPERATORS[node.operator];
    if (operator === undefined || (node.operator === '+' && isText(node))) return [];
    const between = source
      .slice(node.left.end ?? 0, node.right.start ?? 0)
      .replaceAll(COMMENTS, (comment) => ' '.repeat(comment.length));
    const start = (node.left.end ?? 0) + between.indexOf(node.operator);
    return [{ start, end: start + node.operator.length, text: operator }];
  }
  if (types.isUnaryExpression(node, { operator: '!' })) return replaced(node, textOf(node.argument));
  if (types.isIfStatement(node)) return replaced(node.test, `!(${textOf(node.test)})`);
  if (types.isBooleanLiteral(node)) return replaced(node, String(!node.value));
  if (types.isNumericLiteral(node)) return replaced(node, `${node.value + 1}`);
  if (
    types.isExpressionStatement(node) &&
    (types.isCallExpression(node.expression) || types.isAwaitExpression(node.expression))
  )
    return replaced(node, '{}');
  return [];
}

/**
 * Every possible fault in a source text, except in types and imports. @param path tells whether it has JSX
 */
export function mutantsIn(path: string, source: string): Mutant[] {
  const ast = parseSource(path, source);
  const inTypes: { start: number; end: number }[] = [];
  const found: Mutant[] = [];
  types.traverseFast(ast, (node) => {
    if (types.isTypeScript(node) && !types.isExpression(node))
      inTypes.push({ start: node.start ?? 0, end: node.end ?? 0 });
    found.push(...mutantsOf(node, source));
  });
  return found.filter(({ start, end }) => !inTypes.some((type) => type.start <= start && end <= type.end));
}

export const withMutant = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);
