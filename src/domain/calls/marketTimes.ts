/** From a moment of the wall clock on, the market's own clock showed `marketAt` and ran at this speed. Epoch ms. */
export type ClockCourse = { wallAt: number; marketAt: number; speed: number };

/** Two readings of clocks that run side by side differ by less than this, ms of the wall clock. */
const TOLERANCE_MS = 1000;

/**
 * What the market's own clock showed at a moment of the wall clock. Before the first course that is known, the two
 * are taken to have run side by side.
 *
 * @param courses by `wallAt`, ascending; none for a market that runs on the wall clock
 * @param wall epoch ms
 * @returns epoch ms
 */
export function marketTimeAt(courses: readonly ClockCourse[], wall: number): number {
  const course = courses.findLast(({ wallAt }) => wallAt <= wall);
  if (course) return Math.round(course.marketAt + (wall - course.wallAt) * course.speed);
  const [first] = courses;
  return first ? first.marketAt - (first.wallAt - wall) : wall;
}

/** Whether a market's clock went back between two moments of the wall clock, as a simulated day that begins anew does. */
export const wentBack = (courses: readonly ClockCourse[], from: number, until: number): boolean =>
  courses.some(
    ({ wallAt, marketAt }) =>
      wallAt > from && wallAt <= until && marketAt < marketTimeAt(courses, wallAt - 1) - TOLERANCE_MS,
  );

/** The course that begins at a reading of both clocks; null when the last one goes on. */
export function newCourse(courses: readonly ClockCourse[], reading: ClockCourse): ClockCourse | null {
  const last = courses.at(-1) ?? { wallAt: reading.wallAt, marketAt: reading.wallAt, speed: 1 };
  const expected = last.marketAt + (reading.wallAt - last.wallAt) * last.speed;
  const isSame = Math.abs(reading.marketAt - expected) <= TOLERANCE_MS * Math.max(1, reading.speed);
  return isSame && last.speed === reading.speed ? null : reading;
}
