import { readBoolean, readChoice, readList, readRecord } from '#lib/read.ts';
import { createUserChoices } from './userChoices.ts';

export const TOUR_STEPS = ['scanner', 'stock', 'alert', 'notifications'] as const;
export type TourStep = (typeof TOUR_STEPS)[number];

type TourChoices = { isOn: boolean; done: readonly TourStep[] };

const NOT_ON: TourChoices = { isOn: false, done: [] };

function accept(value: unknown): TourChoices {
  const { isOn, done } = readRecord(value);
  return {
    isOn: readBoolean(isOn) ?? false,
    done: Array.isArray(done) ? readList(done, readChoice<TourStep>(TOUR_STEPS)) : [],
  };
}

/** The tour of new users, stored per user in this browser. */
export const {
  chosen: tour,
  choose: chooseTour,
  follow: followTour,
} = createUserChoices<TourChoices>('tour', {
  accept,
  defaults: NOT_ON,
  forGuests: false,
});

/** Starts the tour of the signed-in user. */
export const startTour = (): void => chooseTour({ isOn: true, done: [] });

/** Starts it unless this browser has shown it to the user. */
export function offerTour(): void {
  if (tour.peek() === NOT_ON) startTour();
}
