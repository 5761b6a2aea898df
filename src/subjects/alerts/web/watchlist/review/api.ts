import type { Known } from '#lib/contract/fields.ts';
import { MESSAGES } from '#texts/messages.ts';
import { api, isMissing, unwrap } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { pressedAnswer, reviewAnswer } from '#subjects/alerts/answers/review.ts';
import type { ReviewPress } from '#subjects/alerts/rules/review/finding.ts';

export type ReviewShown = Known<typeof reviewAnswer>;
export type FindingShown = ReviewShown['findings'][number];
export type Pressed = Known<typeof pressedAnswer>;

const readReview = readerOf(reviewAnswer);
const readPressed = readerOf(pressedAnswer);

/** A server that knows only what the specification names reviews nothing. */
async function fetchReview(): Promise<ReviewShown> {
  try {
    return await unwrap(api.alerts.review.get(), readReview);
  } catch (problem) {
    if (isMissing(problem)) return readReview({});
    throw problem;
  }
}

/** A chat may begin to take nothing while the page is open. */
const REVIEW_EVERY_MS = 5 * 60_000;

/** The review of the user's alerts, loaded again with each `again` and every few minutes. */
export const useReview = (again: unknown) =>
  useLoaded(fetchReview, MESSAGES.review.load, { again, everyMs: REVIEW_EVERY_MS });

/** @throws ApiError with the server's sentence */
export const pressFindings = (keys: readonly string[], press: ReviewPress): Promise<Pressed> =>
  unwrap(api.alerts.review.post({ keys: [...keys], press }), readPressed);

/** @throws ApiError with the server's sentence */
export const unkeepFindings = (keys: readonly string[]): Promise<ReviewShown> =>
  unwrap(api.alerts.review.unkeep.post({ keys: [...keys] }), readReview);

/** @throws ApiError with the server's sentence */
export const saveWeekly = (weekly: boolean): Promise<ReviewShown> =>
  unwrap(api.alerts.review.weekly.put({ weekly }), readReview);

/** Takes a pause, or a longer cooldown, back. @throws ApiError with the server's sentence */
export async function takeBack({ alerts, cooldown }: FindingShown, press: ReviewPress): Promise<void> {
  const before = press === 'pause' ? { active: true } : { cooldown_minutes: cooldown?.from ?? 1 };
  for (const { of, id } of alerts) {
    await unwrap(
      of === 'alert' ? api.alerts({ id }).patch(before) : api['scan-alerts']({ id }).patch(before),
    );
  }
}
