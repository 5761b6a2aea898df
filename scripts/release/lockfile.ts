export type Shipped = {
  key: string;
  name: string;
  version: string;
  /** In npm's form: `sha512-` and base64; null if unknown. */
  integrity: string | null;
  folder: string;
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

const namesOf = (key: string): string[] => key.match(/@[^/]{1,214}\/[^/]{1,214}|[^/]{1,214}/g) ?? [];

/** Finds a dependency as Node does: in its own folder, or in the nearest one above. */
function placeOf(lock: Lock, from: string, name: string): string | null {
  for (let above = namesOf(from); ; above = above.slice(0, -1)) {
    const key = [...above, name].join('/');
    if (lock.packages[key] !== undefined) return key;
    if (above.length === 0) return null;
  }
}

/** Run-time dependencies, with peers that are neither optional nor tools of this repository. */
function needsOf(
  { dependencies, optionalDependencies, peerDependencies, optionalPeers }: Needs,
  tools: Set<string>,
) {
  const peers = Object.keys(peerDependencies ?? {});
  const used = peers.filter((name) => optionalPeers?.includes(name) !== true && !tools.has(name));
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...used];
}

/**
 * The shipped packages: dependencies and theirs, by key, without development tools.
 * @param text of bun.lock
 * @throws Error if it names a package that it does not contain
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
