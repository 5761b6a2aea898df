import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Machine, tool } from './machine.ts';
import { GIT } from './releases.ts';

const root = dirname(dirname(import.meta.dir));
const MAIN = join('src', 'main.ts');
const JOURNAL = join('migrations', 'meta', '_journal.json');

/** Code that crashes two seconds after the server began to serve, so that its migrations have been applied. */
const DIES_LATER = "if (process.argv.includes('server')) setTimeout(() => process.exit(9), 2000);\n";
/** A migration that deletes data which a roll-back must restore. */
const LOSES_LISTS = 'DELETE FROM `watchlist_items`;\n';

type Journal = { entries: { idx: number; when: number; tag: string }[] };

/** The repository that a checkout on a machine follows, with its new versions. */
export class Upstream {
  readonly path = '/srv/bellbird.git';
  private readonly clone: string;
  private readonly bare: string;
  private readonly branch: string;
  private readonly main: string;
  private readonly journal: string;

  constructor(folder: string, machine: Machine) {
    this.clone = join(folder, 'upstream');
    tool(['git', 'clone', '-q', root, this.clone]);
    this.branch = tool(['git', '-C', this.clone, 'symbolic-ref', 'HEAD']).trim();
    this.bare = join(machine.root, this.path);
    mkdirSync(dirname(this.bare), { recursive: true });
    tool(['git', 'clone', '-q', '--bare', this.clone, this.bare]);
    this.main = readFileSync(join(this.clone, MAIN), 'utf8');
    this.journal = readFileSync(join(this.clone, JOURNAL), 'utf8');
  }

  good = (subject: string): string => this.publish(subject, {});

  unbuildable = (): string => this.publish('Does not build', { [MAIN]: `${this.main}\nconst = ;\n` });

  /** A version that passes its own check, empties all lists by a migration, and crashes. @returns its commit */
  dying(): string {
    const { entries, ...rest } = JSON.parse(this.journal) as Journal;
    const last = entries.at(-1);
    if (last === undefined) throw new Error('There are no migrations.');
    const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: `${entries.length}_loses_lists` };
    return this.publish('Loses the lists, and dies', {
      [MAIN]: DIES_LATER + this.main,
      [JOURNAL]: JSON.stringify({ ...rest, entries: [...entries, next] }),
      [join('migrations', `${next.tag}.sql`)]: LOSES_LISTS,
    });
  }

  private publish(subject: string, files: Readonly<Record<string, string>>): string {
    const all = { [MAIN]: this.main, [JOURNAL]: this.journal, ...files };
    for (const [path, text] of Object.entries(all)) writeFileSync(join(this.clone, path), text);
    const git = (...words: string[]): string => tool(['git', '-C', this.clone, ...GIT, ...words]);
    git('add', '--all');
    git('commit', '-q', '--allow-empty', '-m', subject);
    // Fetched, not pushed: the repository belongs to another user, which git accepts only from a command line.
    tool([
      'git',
      '-C',
      this.bare,
      '-c',
      'safe.directory=*',
      'fetch',
      '-q',
      this.clone,
      `HEAD:${this.branch}`,
    ]);
    return git('rev-parse', 'HEAD').trim();
  }
}
