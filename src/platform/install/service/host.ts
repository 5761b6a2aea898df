import example from '../../../../deploy/systemd/env.example' with { type: 'text' };
import unit from '../../../../deploy/systemd/bellbird.service' with { type: 'text' };

/** The paths of an installed service, as in docs/install.md. */
export const SERVICE_PATHS = {
  program: '/opt/bellbird/bellbird',
  settings: '/etc/bellbird/env',
  data: '/var/lib/bellbird',
  unit: '/etc/systemd/system/bellbird.service',
  packagedUnit: '/usr/lib/systemd/system/bellbird.service',
} as const;

/** The unit of deploy/systemd. @param program the path of the executable */
export const serviceUnit = (program: string): string => unit.replaceAll(SERVICE_PATHS.program, program);

export const unsetSettings = (): string => example.replaceAll(/^(?=BELLBIRD_)/gm, '#');

/** The machine of a service. Tests give a folder and their own answers. */
export type ServiceHost = {
  /** The prefix of all paths; '' on a real machine. */
  root: string;
  executable: string;
  version: string;
  isStandalone: boolean;
  /** User id of the caller; 0 is root. */
  uid: number;
  /** Runs a program to its end. @returns its exit code and output */
  run(command: readonly string[]): { code: number; out: string };
  exists(path: string): boolean;
  pause(ms: number): Promise<void>;
  print(line: string): void;
};

/** Why a service can't be installed or removed; null if it can. */
export function serviceProblem(host: ServiceHost): string | null {
  if (!host.isStandalone) return 'Only an executable can be a service. Build one with "bun run build".';
  if (!host.exists('/run/systemd/system')) {
    return 'systemd is not running on this machine. Start "bellbird serve" instead.';
  }
  if (host.uid !== 0) return 'This command needs root. Run it again with sudo.';
  if (host.exists(SERVICE_PATHS.packagedUnit)) {
    return 'The Debian package manages the service. Use apt to update or remove it.';
  }
  return null;
}
