import example from '../../../../deploy/systemd/env.example' with { type: 'text' };
import unit from '../../../../deploy/systemd/bellbird.service' with { type: 'text' };

/** Where an installed service has what; docs/operations.md names the same. */
export const SERVICE_PATHS = {
  program: '/opt/bellbird/bellbird',
  settings: '/etc/bellbird/env',
  data: '/var/lib/bellbird',
  unit: '/etc/systemd/system/bellbird.service',
  /** Of the Debian package. */
  packagedUnit: '/usr/lib/systemd/system/bellbird.service',
} as const;

/** The unit of deploy/systemd. @param program where the executable lies */
export const serviceUnit = (program: string): string => unit.replaceAll(SERVICE_PATHS.program, program);

/** The example of the settings, with none of them set. */
export const unsetSettings = (): string => example.replaceAll(/^(?=BELLBIRD_)/gm, '#');

/** The machine that a service is put on; a test gives a folder and its own answers. */
export type ServiceHost = {
  /** What all paths are below; '' on the machine itself. */
  root: string;
  /** The executable that runs. */
  executable: string;
  /** Its version: 1.2.3. */
  version: string;
  /** Whether that file is Bellbird itself, compiled. */
  isStandalone: boolean;
  /** Of the person who typed the command; 0 is root. */
  uid: number;
  /** Runs a program to its end. @returns its exit code, and what it printed */
  run(command: readonly string[]): { code: number; out: string };
  exists(path: string): boolean;
  pause(ms: number): Promise<void>;
  say(line: string): void;
};

/** Why no service can be made or removed here; null when it can. */
export function serviceProblem(host: ServiceHost): string | null {
  if (!host.isStandalone) return 'Only an executable can be a service. Build one with: bun run build';
  if (!host.exists('/run/systemd/system')) {
    return 'systemd does not run here, so there is nothing to install a service into. Start "bellbird serve" instead.';
  }
  if (host.uid !== 0) return 'This needs the rights of root. Type it again with sudo before it.';
  if (host.exists(SERVICE_PATHS.packagedUnit)) {
    return 'The Debian package has made the service already: it is installed, updated and removed with apt.';
  }
  return null;
}
