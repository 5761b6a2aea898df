import { SETTINGS } from '../config.ts';

const COMMANDS = `Bellbird: live ASX scanners, alerts and trade-idea calls.

Usage: bellbird <command>

  serve                     start the server (also without a command)
  relay                     serve pages for a server elsewhere, the primary
  check                     say what is wrong and what to do: settings, rights, clock, disk, database, every
                            configured source, chat and model, the public address [--offline: no other machine]
  service install           make it a service of systemd, as root: user, unit, settings; prints the set-up link
                            [--older: also in the place of a newer version]
  service uninstall         remove the service; data and settings stay
  support [FILE]            write a file for a bug report: no secrets, no people [--offline]
  user add <name>           add an account [--admin] [--tier free|basic|premium] [--email <address>]
  user promote <name>       make an account an administrator
  user password <name>      set a new password and end the account's sessions
  user clear-second-factor <name>
                            let somebody who lost their phone log in by the password alone
  user list                 list the accounts
  backup [FILE]             write a backup, also beside a running server [the data folder's backups, and the target]
  restore FILE              put a backup in the place of the database, which is kept beside it; asks for the
                            passphrase of an encrypted one [--from-target [NAME]: the newest of the target]
  record FILE               record the market until its session is over [--until 16:30, Sydney time]
  version                   print the version and commit
  --help                    print this

Passwords are asked for, or read from the standard input: echo "$PASSWORD" | bellbird user add anna

Settings come from the environment:
`;

const shown = (setting: { fallback: unknown; shown?: string }): string =>
  setting.shown ?? String(setting.fallback);

/** The whole help: commands, and every setting with its default. */
export function helpText(): string {
  const rows = Object.entries<{ fallback: unknown; meaning: string; shown?: string }>(SETTINGS);
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.map(
    ([name, setting]) => `  ${name.padEnd(width)}${setting.meaning} [${shown(setting)}]`,
  );
  return COMMANDS + lines.join('\n');
}
