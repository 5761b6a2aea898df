import type { Wire } from '#lib/contract/fields.ts';
import type { relay, relaysAnswer } from '../answers/relays.ts';

/** A relay as the primary knows it from what the relay told last. */
export type RelayStanding = Wire<typeof relay>;

/** What the primary knows of the message engine and of its relays at a moment; it asks nobody for it. */
export type RelayState = Omit<Wire<typeof relaysAnswer>, 'isSet'>;
