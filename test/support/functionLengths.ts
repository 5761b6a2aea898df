import { types } from '@babel/core';
import { parseSource } from './parseSource.ts';

/** A function with all that stands in it, other functions too. */
export type FunctionLength = {
  path: string;
  /** Its own, or of what it is the value of. */
  name: string;
  /** From its first line to its last. */
  lines: number;
};

type Named = { id?: { name?: string } | null; key?: { name?: string } | null };

const nameOf = (one: Named | undefined): string | undefined => one?.id?.name ?? one?.key?.name;
const linesOf = ({ loc }: types.Node): number => (loc ? loc.end.line - loc.start.line + 1 : 0);

/** Every function of a source file. */
export function functionLengths(path: string, text: string): FunctionLength[] {
  const found: FunctionLength[] = [];
  const heldBy = new WeakMap<types.Node, Named>();
  types.traverseFast(parseSource(path, text), (node) => {
    if (types.isVariableDeclarator(node) && node.init) heldBy.set(node.init, node as Named);
    if (types.isProperty(node) && node.value) heldBy.set(node.value, node as Named);
    if (!types.isFunction(node)) return;
    const own = nameOf(node as Named) ?? nameOf(heldBy.get(node));
    found.push({ path, name: own ?? 'a function', lines: linesOf(node) });
  });
  return found;
}
