import type { PrimaryLease } from '../engine/types.ts';

/** What a primary says that was overtaken by another process with the same data, as a standby has it. */
export const REPLACED =
  'Another process with a copy of this data folder publishes into the message engine, so this one has stopped to. ' +
  'Stop whichever of the two is not to be; this one publishes again when it is restarted.';

/** Who has the lease, for the operator of a second primary. @returns a sentence */
export const heldBy = ({ name, since }: PrimaryLease): string =>
  `Another primary, on ${name} since ${new Date(since).toISOString()}, serves the relays of this message engine. ` +
  'Stop it, or give this one an engine or a database number of its own (BELLBIRD_ENGINE_URL).';
