import { Enums, Models, Serialize, SPDX, Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Shipped = {
  key: string;
  name: string;
  version: string;
  /** Checksum in npm's format: `sha512-` and base64; null if unknown. */
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

/** A package's run-time dependencies, including peers that are neither optional nor tools of this repository. */
function needsOf(
  { dependencies, optionalDependencies, peerDependencies, optionalPeers }: Needs,
  tools: Set<string>,
) {
  const peers = Object.keys(peerDependencies ?? {});
  const used = peers.filter((name) => optionalPeers?.includes(name) !== true && !tools.has(name));
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...used];
}

/**
 * The shipped packages: dependencies and their dependencies, by key, without development tools.
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
    if (entry === undefined) throw new Error(`bun.lock does not contain ${key}.`);
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

export const SBOM_FILE = 'sbom.cdx.json';

type SbomAbout = {
  version: string;
  commit: string /** Time of the commit; null without git. */;
  at: Date | null;
};

/** Returns the licence in a package's own description; null if it has none. */
type LicenceOf = (folder: string) => string | null;

export const installedLicence =
  (root: string): LicenceOf =>
  (folder) => {
    const about = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      license?: unknown;
    };
    return typeof about.license === 'string' ? about.license : null;
  };

function licenceModel(text: string): Models.License {
  const id = SPDX.fixupSpdxId(text);
  if (id !== undefined) return new Models.SpdxLicense(id);
  return /\b(?:AND|OR|WITH)\b/.test(text)
    ? new Models.LicenseExpression(text)
    : new Models.NamedLicense(text);
}

/** A package's address in the format of vulnerability lists. */
const purl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function component({ key, name, version, integrity }: Shipped, licence: string | null): Models.Component {
  const [scope, bare = name] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const made = new Models.Component(Enums.ComponentType.Library, bare, {
    bomRef: key,
    version,
    purl: purl(name, version),
    ...(scope !== undefined && { group: scope }),
  });
  if (integrity?.startsWith('sha512-')) {
    const hex = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
    made.hashes.set(Enums.HashAlgorithm['SHA-512'], hex);
  }
  if (licence !== null) made.licenses.add(licenceModel(licence));
  return made;
}

/** An id that is equal for the same version and commit, so that two builds are identical. */
function serialNumber({ version, commit }: SbomAbout): string {
  const hex = new Bun.CryptoHasher('sha256').update(`bellbird ${version} ${commit}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
  ];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}

/**
 * Lists the packages of a release, with versions, checksums and licences, and the runtime.
 * @param lock the text of bun.lock
 * @returns a reproducible CycloneDX 1.6 document
 * @throws Error if it does not follow the schema
 */
export async function sbom(lock: string, about: SbomAbout, licenceOf: LicenceOf): Promise<string> {
  const program = new Models.Component(Enums.ComponentType.Application, 'bellbird', {
    bomRef: 'bellbird',
    version: about.version,
  });
  const runtime = new Models.Component(Enums.ComponentType.Platform, 'bun', {
    bomRef: 'bun-runtime',
    version: Bun.version,
    purl: purl('bun', Bun.version),
  });
  runtime.licenses.add(new Models.SpdxLicense('MIT'));
  const packages = shippedPackages(lock);
  const made = new Map(packages.map((one) => [one.key, component(one, licenceOf(one.folder))]));
  const needed = new Set(packages.flatMap(({ needs }) => needs));
  for (const { key, needs } of packages) {
    const own = made.get(key);
    for (const need of needs) {
      const other = made.get(need);
      if (own && other) own.dependencies.add(other.bomRef);
    }
    if (own && !needed.has(key)) program.dependencies.add(own.bomRef);
  }
  program.dependencies.add(runtime.bomRef);
  const bom = new Models.Bom({
    serialNumber: serialNumber(about),
    metadata: new Models.Metadata({ component: program, ...(about.at && { timestamp: about.at }) }),
    components: new Models.ComponentRepository([runtime, ...made.values()]),
  });
  return checked(
    new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)).serialize(bom, {
      sortLists: true,
      space: 2,
    }),
  );
}

async function checked(text: string): Promise<string> {
  const problem = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (problem !== null)
    throw new Error(`The list of parts does not match the CycloneDX schema: ${JSON.stringify(problem)}`);
  return `${text}\n`;
}
