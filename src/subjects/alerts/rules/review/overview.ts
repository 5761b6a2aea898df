import type { Destinations } from '../alert.ts';
import type { Places } from './brokenPlaces.ts';

/** How the alerts that are on do as a whole. */
export type ReviewOverview = {
  on: number;
  /** How many of them never fired. */
  unfired: number;
  /** How many of them reach no chat and no device. */
  unsent: number;
};

/** Whether a message to these destinations arrives anywhere. */
const arrives = (destinations: Destinations, { chats, devices }: Places): boolean =>
  chats.some(
    ({ platform, isConfirmed, brokenReason }) =>
      destinations[platform] && isConfirmed && brokenReason === null,
  ) ||
  devices.some(
    ({ id, trouble }) =>
      trouble === null && (destinations.devices === 'all' || destinations.devices.includes(id)),
  );

/** @param alerts those that are on */
export const overviewOf = (
  alerts: readonly { lastFiredAt: number | null; destinations: Destinations }[],
  places: Places,
): ReviewOverview => ({
  on: alerts.length,
  unfired: alerts.filter(({ lastFiredAt }) => lastFiredAt === null).length,
  unsent: alerts.filter(({ destinations }) => !arrives(destinations, places)).length,
});

type Words = Readonly<Record<'itself' | 'all' | 'one' | 'some', string>>;

const UNFIRED: Words = {
  itself: 'It has not fired yet.',
  all: 'None of them has fired yet.',
  one: 'One of them has not fired yet.',
  some: ' of them have not fired yet.',
};
const UNSENT: Words = {
  itself: 'It reaches no chat or device: you see it only in an open window.',
  all: 'None of them reaches a chat or device: you see them only in an open window.',
  one: 'One of them reaches no chat or device: you see it only in an open window.',
  some: ' of them reach no chat or device: you see them only in an open window.',
};

/** @returns nothing for a count of 0 */
function sentences(count: number, { on }: ReviewOverview, words: Words): string[] {
  if (count === 0) return [];
  if (count === on) return [on === 1 ? words.itself : words.all];
  return [count === 1 ? words.one : `${count}${words.some}`];
}

/** What a review says that found nothing: never more than is known. @param overview null where the server gives none */
export function nothingFoundText(overview: ReviewOverview | null): string {
  if (overview === null) return 'Nothing to look at.';
  const { on, unfired, unsent } = overview;
  if (on === 0) return 'No alert is on, so there is nothing to look at.';
  return [
    `Nothing to look at in ${on === 1 ? 'the alert that is' : `the ${on} alerts that are`} on.`,
    ...sentences(unfired, overview, UNFIRED),
    ...sentences(unsent, overview, UNSENT),
  ].join(' ');
}
