import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { STOCK_OPTIONS, Values } from '../answers/options.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { type DeviceChoice, NO_DEVICES } from '#subjects/devices/rules/device.ts';

/** Where an alert is sent besides the open page: all chats of a platform, and devices. */
export type Destinations = Record<ChatPlatform, boolean> & { devices: DeviceChoice };

/** Nowhere else than on the open page. */
export const NOWHERE: Destinations = { telegram: false, discord: false, devices: NO_DEVICES };

/** Where something is sent that stands beside other things of it, as in a row of the database. */
export const destinationsOf = ({ telegram, discord, devices }: Destinations): Destinations => ({
  telegram,
  discord,
  devices,
});

/** Where an alert is sent that takes the place of several. */
export const joinedDestinations = (all: readonly Destinations[]): Destinations =>
  all.reduce(
    (joined, { telegram, discord, devices }) => ({
      telegram: joined.telegram || telegram,
      discord: joined.discord || discord,
      devices:
        joined.devices === 'all' || devices === 'all' ? 'all' : [...new Set([...joined.devices, ...devices])],
    }),
    NOWHERE,
  );

/** What a person chooses of an alert. */
export type AlertInput = Values<typeof STOCK_OPTIONS> & {
  symbol: string;
  active: boolean;
  logic: Logic;
  destinations: Destinations;
};

/** An alert as the server keeps it. Times are epoch ms by the wall clock. */
export type Alert = AlertInput & {
  id: number;
  userId: number;
  /** Counts the changes that a person made. */
  version: number;
  lastTriggeredAt: number | null;
  snoozedUntil: number | null;
  /** A sentence saying why it was stopped without its owner; null when it was not. */
  stoppedReason: string | null;
  /** What was true when it was saved or switched on does not fire before then; see `arming.ts`. */
  armedAt: number | null;
};
