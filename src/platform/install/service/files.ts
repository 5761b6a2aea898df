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
