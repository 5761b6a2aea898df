import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeRelease, makeKeys, PRIVATE_KEY_FILE } from '../release/sign.ts';
import { tool } from './machine.ts';

const root = dirname(dirname(import.meta.dir));
const NAME = 'bellbird-linux-x64';
export const GIT = [
  '-c',
  'user.name=Tess',
  '-c',
  'user.email=tess@example.com',
  '-c',
  'commit.gpgsign=false',
];
/** Code that lets a version pass its own check but crash as a server. */
const DIES = "if (process.argv.includes('serve') || process.argv.includes('server')) process.exit(9);\n";

export type Built = { folder: string; file: string; commit: string };

/**
 * Builds versions of the product that trust one key, in a clone of this checkout: the installed one, a newer one, and a
 * newer one that does not run.
 */
export class Releases {
  private readonly clone: string;

  /** @param folder in which everything is created */
  constructor(private readonly folder: string) {
    this.clone = join(folder, 'clone');
    tool(['git', 'clone', '-q', root, this.clone]);
    symlinkSync(join(root, 'node_modules'), join(this.clone, 'node_modules'));
    makeKeys(this.clone);
  }

  build(version: string, isGood = true): Built {
    const path = join(this.clone, 'package.json');
    const about = { ...(JSON.parse(readFileSync(path, 'utf8')) as object), version };
    writeFileSync(path, JSON.stringify(about, null, 2));
    const main = join(this.clone, 'src', 'main.ts');
    if (!isGood) writeFileSync(main, DIES + readFileSync(main, 'utf8'));
    tool(['git', '-C', this.clone, ...GIT, 'commit', '-qam', `Version ${version}`]);
    const commit = tool(['git', '-C', this.clone, 'rev-parse', 'HEAD']).trim();
    tool(['bun', '--cwd', this.clone, join(this.clone, 'scripts', 'build.ts')]);
    const release = join(this.folder, version);
    mkdirSync(release);
    const file = join(release, NAME);
    copyFileSync(join(this.clone, 'dist', 'bellbird'), file);
    const key = readFileSync(join(this.clone, PRIVATE_KEY_FILE), 'utf8');
    describeRelease(
      release,
      { names: [NAME] },
      { version, commit, minimum: null, notes: `Version ${version}` },
      key,
    );
    return { folder: release, file, commit };
  }
}
