import { SERVICE_PATHS } from './files.ts';

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
