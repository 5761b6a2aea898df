import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serviceUnit, unsetSettings } from '#platform/install/service/host.ts';

/** Debian's name of a processor, and the executable that runs on every processor of that kind. */
export const PACKAGES = { amd64: 'bellbird-linux-x64-baseline', arm64: 'bellbird-linux-arm64' } as const;
export type Architecture = keyof typeof PACKAGES;

const PROGRAM = '/usr/bin/bellbird';
const SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm'] as const;

export type DebAbout = {
  version: string;
  commit: string /** The time of everything in the package. */;
  at: Date;
  isSigned: boolean;
};

/** The version in Debian's order, in which `1.0.0~rc.1` is older than `1.0.0`. */
export const debianVersion = (version: string): string => version.replace('-', '~');

export const debName = (version: string, architecture: Architecture): string =>
  `bellbird_${debianVersion(version)}_${architecture}.deb`;

export function controlFile(about: DebAbout, architecture: Architecture, size: number): string {
  const fields = {
    Package: 'bellbird',
    Version: debianVersion(about.version),
    Architecture: architecture,
    Maintainer: 'Bellbird <bellbird@localhost>',
    'Installed-Size': String(Math.ceil(size / 1024)),
    Depends: 'libc6, passwd, debconf (>= 0.5) | debconf-2.0',
    Section: 'web',
    Priority: 'optional',
    Description: 'scanners, alerts and trade-idea calls for the ASX',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  const signed = about.isSigned
    ? 'It accepts only signed releases.'
    : 'It is unsigned: built without a release key.';
  const more = [' One server with its web application. Its data is in /var/lib/bellbird.', ' .'];
  return `${[...lines, ...more, ` Built from ${about.commit}.`, ` ${signed}`].join('\n')}\n`;
}

/** The copyright file. The product itself has no licence yet. */
const COPYRIGHT = `Bellbird itself has no licence. It contains the packages listed in the release's sbom.cdx.json, each under the\nlicence given there.\n`;

/** Debian's changelog, which needs only the last entry; the changes are in the release notes. */
const changelog = ({ version, commit, at }: DebAbout): string =>
  `bellbird (${debianVersion(version)}) unstable; urgency=medium\n\n  * Built from ${commit}.\n\n` +
  ` -- Bellbird <bellbird@localhost>  ${at.toUTCString().replace('GMT', '+0000')}\n`;

function layOut(root: string, folder: string, executable: string, about: DebAbout): number {
  const deployed = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8');
  let size = Bun.file(executable).size;
  const put = (path: string, bytes: string | Uint8Array, mode = 0o644): void => {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
    writeFileSync(to, bytes);
    chmodSync(to, mode);
    size += bytes.length;
  };
  mkdirSync(join(folder, dirname(PROGRAM)), { recursive: true, mode: 0o755 });
  copyFileSync(executable, join(folder, PROGRAM));
  chmodSync(join(folder, PROGRAM), 0o755);
  put('usr/lib/systemd/system/bellbird.service', serviceUnit(PROGRAM));
  put('etc/bellbird/env', unsetSettings(), 0o600);
  put('usr/share/doc/bellbird/copyright', COPYRIGHT);
  put('usr/share/doc/bellbird/changelog.gz', Bun.gzipSync(changelog(about), { level: 9 }));
  put('DEBIAN/conffiles', '/etc/bellbird/env\n');
  put('DEBIAN/templates', deployed('debian/templates'));
  for (const name of SCRIPTS) put(`DEBIAN/${name}`, deployed(`debian/${name}`), 0o755);
  return size;
}

/**
 * Makes a reproducible Debian package of an executable.
 * @param release the folder with the executable, in which the package is created
 * @returns the package's file name
 * @throws Error with the output of dpkg-deb
 */
export function buildDeb(root: string, release: string, architecture: Architecture, about: DebAbout): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-deb-'));
  try {
    chmodSync(folder, 0o755);
    const size = layOut(root, folder, join(release, PACKAGES[architecture]), about);
    writeFileSync(join(folder, 'DEBIAN', 'control'), controlFile(about, architecture, size));
    const name = debName(about.version, architecture);
    // Uses gzip, because the output of xz depends on the number of processors.
    const words = ['dpkg-deb', '--root-owner-group', '-Zgzip', '--build', folder, join(release, name)];
    const epoch = String(Math.floor(about.at.getTime() / 1000));
    const { exitCode, stderr } = Bun.spawnSync(words, { env: { ...process.env, SOURCE_DATE_EPOCH: epoch } });
    if (exitCode !== 0) throw new Error(`${name} could not be made: ${stderr.toString().trim()}`);
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
