/** A package that a release holds. */
export type Shipped = {
  /** Its place in bun.lock, which is unique: `name`, or `parent/name` where a parent has a version of its own. */
  key: string;
  name: string;
  version: string;
  /** As npm writes it: `sha512-` and base64; null where it is not known. */
  integrity: string | null;
  /** The folder it is installed in, below the repository. */
  folder: string;
  /** Keys of the packages that it needs. */
  needs: readonly string[];
};

type Needs = {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalPeers?: readonly string[];
};
type Lock = {
  workspaces: { '': { dependencies?: Record<string, string>; devDependencies?: Record<string, string> } };
  packages: Record<string, readonly [string, string, Needs, string?]>;
};

/** The names in a key: a scope belongs to the name after it. */
const namesOf = (key: string): string[] => key.match(/@[^/]{1,214}\/[^/]{1,214}|[^/]{1,214}/g) ?? [];

/** Where a package's need is found: in its own folder, or in that of the nearest one above it, as Node looks for it. */
function placeOf(lock: Lock, from: string, name: string): string | null {
  for (let above = namesOf(from); ; above = above.slice(0, -1)) {
    const key = [...above, name].join('/');
    if (lock.packages[key] !== undefined) return key;
    if (above.length === 0) return null;
  }
}

/** What a package needs at run time; of its peers those that are neither optional nor tools of this repository. */
function needsOf(
  { dependencies, optionalDependencies, peerDependencies, optionalPeers }: Needs,
  tools: Set<string>,
) {
  const peers = Object.keys(peerDependencies ?? {});
  const used = peers.filter((name) => optionalPeers?.includes(name) !== true && !tools.has(name));
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...used];
}

/**
 * The packages that the product is built from: its dependencies and all that they need, in the order of their keys.
 * Tools of the development are left out.
 *
 * @param text of bun.lock
 * @throws Error when it names a package that it does not hold
 */
export function shippedPackages(text: string): Shipped[] {
  const lock = Bun.JSONC.parse(text) as Lock;
  const { dependencies = {}, devDependencies = {} } = lock.workspaces[''];
  const tools = new Set(Object.keys(devDependencies));
  const found = new Map<string, Shipped>();
  const add = (key: string): void => {
    const entry = lock.packages[key];
    if (entry === undefined) throw new Error(`bun.lock does not hold ${key}.`);
    if (found.has(key)) return;
    const [id, , about, integrity = null] = entry;
    const at = id.lastIndexOf('@');
    const needs = needsOf(about, tools).flatMap((name) => placeOf(lock, key, name) ?? []);
    const folder = namesOf(key)
      .map((name) => `node_modules/${name}`)
      .join('/');
    found.set(key, { key, name: id.slice(0, at), version: id.slice(at + 1), integrity, folder, needs });
    for (const need of needs) add(need);
  };
  for (const name of Object.keys(dependencies)) add(name);
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
