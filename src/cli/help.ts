import { SETTINGS } from '../config/config.ts';
import { capitalised } from '../lib/wording.ts';

type CommandHelp = {
  takes?: string;
  summary: string;
  options?: readonly (readonly [option: string, meaning: string])[];
  notes?: readonly string[];
};

const OFFLINE = ['--offline', 'connect to no other machine'] as const;
const BESIDE = 'It may run while the server runs.';
const PASSWORD =
  'The password is asked for, or read from the standard input: echo "$PASSWORD" | bellbird user add anna';

const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  serve: {
    summary: 'start the server (also without a command)',
    notes: [
      'Ctrl+C stops it. The first start prints a link through which the administrator registers.',
      'It ends with 78 if a setting is wrong, and with 75 to be started again, after a restart from the Admin Panel.',
    ],
  },
  relay: {
    summary: 'serve pages for a server elsewhere, the primary',
    notes: ['BELLBIRD_PRIMARY_URL, BELLBIRD_ENGINE_URL and BELLBIRD_RELAY_SECRET must be set.'],
  },
  check: {
    summary: 'say what is wrong and what to do',
    options: [
      OFFLINE,
      ['--json', 'print JSON for a program; connects to no other machine'],
      ['--network', 'with --json, connect to other machines as well'],
    ],
    notes: [
      'It checks settings, rights, clock, disk, memory, database, every configured source, chat and model, the backup',
      'target and the public address. It sends nothing to anybody. It ends with 1 if something is wrong.',
      BESIDE,
    ],
  },
  health: {
    summary: 'say whether the server on this machine answers, for health checks of containers',
    notes: [
      'It ends with 0 if it does and with 1 if not. It reads the settings of the server for the address.',
    ],
  },
  'service install': {
    summary: 'make it a service of systemd, as root; prints the set-up link',
    options: [['--older', 'also replace a newer version']],
    notes: [
      'It makes the user, the data folder, the unit and /etc/bellbird/env, and starts the service. From a newer file it',
      'replaces the program. Settings and data stay as they are.',
    ],
  },
  'service uninstall': { summary: 'remove the service, as root; data and settings stay' },
  support: {
    takes: '[FILE]',
    summary: 'write a file for a bug report: no secrets, no people',
    options: [OFFLINE],
    notes: ['Without FILE it writes bellbird-support-DATE.tar.gz in the current folder.', BESIDE],
  },
  'user add': {
    takes: 'NAME',
    summary: 'add an account',
    options: [
      ['--admin', 'make it an administrator'],
      ['--tier TIER', 'its plan: free (the default), basic or premium'],
      ['--email ADDRESS', 'its email address'],
    ],
    notes: [PASSWORD, BESIDE],
  },
  'user promote': { takes: 'NAME', summary: 'make an account an administrator', notes: [BESIDE] },
  'user password': {
    takes: 'NAME',
    summary: 'set a new password and end the account’s sessions',
    notes: [PASSWORD.replace('add', 'password'), 'Two-factor login stays on.', BESIDE],
  },
  'user clear-second-factor': {
    takes: 'NAME',
    summary: 'turn off two-factor login of somebody who lost their phone',
    notes: [BESIDE],
  },
  'user list': { summary: 'list the accounts', notes: [BESIDE] },
  backup: {
    takes: '[FILE]',
    summary: 'write a backup',
    notes: [
      'Without FILE it is written to the folder "backups" of the data folder, and sent to BELLBIRD_BACKUP_TARGET if that',
      'is set. It is read again before it counts.',
      BESIDE,
    ],
  },
  restore: {
    takes: 'FILE | --from-target [NAME]',
    summary: 'replace the database by a backup; the old one is kept',
    options: [
      [
        '--from-target [NAME]',
        'the newest backup of this server at BELLBIRD_BACKUP_TARGET, or the one with that name',
      ],
      ['--yes', 'with --from-target, restore it without being asked'],
    ],
    notes: [
      'Stop the server first. The passphrase or key of an encrypted backup is asked for, or read from the standard input.',
    ],
  },
  record: {
    takes: 'FILE',
    summary: 'record the market until its session is over',
    options: [['--until 16:30', 'end at this time in Sydney']],
    notes: ['Ctrl+C ends the recording. It uses the settings of the server.', BESIDE],
  },
  version: { summary: 'print the version and commit' },
};

const SETTINGS_HEAD =
  'Settings come from the environment; "bellbird --help" lists them. BELLBIRD_DATA names the data folder.';

const usageOf = (words: string, { takes, options = [] }: CommandHelp): string => {
  const hasMore = options.some(([option]) => !takes?.includes(option));
  return [words, ...(hasMore ? ['[options]'] : []), ...(takes === undefined ? [] : [takes])].join(' ');
};

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2;
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`);
}

const shown = (setting: { fallback: unknown; shown?: string }): string =>
  setting.shown ?? String(setting.fallback);

export function helpText(): string {
  const commands = Object.entries(COMMANDS).map(
    ([words, { takes, summary }]) => [takes === undefined ? words : `${words} ${takes}`, summary] as const,
  );
  const settings = Object.entries<{ fallback: unknown; meaning: string; shown?: string }>(SETTINGS).map(
    ([name, setting]) => [name, `${setting.meaning} [${shown(setting)}]`] as const,
  );
  return [
    'Bellbird: live ASX scanners, alerts and trade-idea calls.',
    '',
    'Usage: bellbird COMMAND',
    '',
    ...aligned([...commands, ['COMMAND --help', 'print the help of a command'], ['--help', 'print this']]),
    '',
    'Settings come from the environment:',
    ...aligned(settings),
  ].join('\n');
}

function section(words: string, help: CommandHelp): string {
  const { summary, options = [], notes = [] } = help;
  const parts = [
    [`Usage: bellbird ${usageOf(words, help)}`],
    [`${capitalised(summary)}.`, ...notes],
    options.length === 0 ? [] : ['Options:', ...aligned(options)],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/**
 * The help of one command, or of all that begin with the same word.
 * @param words of the command line without options, such as `user add`
 * @returns null if the name is not a command for people
 */
export function commandHelp([first = '', second = '']: readonly string[]): string | null {
  const all = Object.keys(COMMANDS);
  const exact = `${first} ${second}`;
  const found = all.includes(exact)
    ? [exact]
    : all.filter((words) => words === first || words.startsWith(`${first} `));
  if (found.length === 0) return null;
  return [...found.flatMap((words) => section(words, COMMANDS[words] as CommandHelp)), SETTINGS_HEAD].join(
    '\n\n',
  );
}
