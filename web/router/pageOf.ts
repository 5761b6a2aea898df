import { pathOf } from './resolveRoute.ts';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Typed by hand, with a percent sign of its own.
    return part;
  }
}

/**
 * What stands in an address after a route's path, decoded: `#/calls/by/Anna%20B` after '/calls' gives ['by', 'Anna B'];
 * nothing for the path itself.
 */
export const pageOf = (hash: string, path: string): string[] =>
  pathOf(hash)
    .slice(path.length + 1)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
