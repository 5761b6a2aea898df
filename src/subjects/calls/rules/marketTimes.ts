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

/** How far a market's clock may be from its course, ms of that clock. */
const tolerance = (speed: number): number => TOLERANCE_MS * Math.max(1, speed);

/** Whether a market's clock went back between two moments of the wall clock, as a simulated day that begins again does. */
export const wentBack = (courses: readonly ClockCourse[], from: number, until: number): boolean =>
  courses.some(({ wallAt, marketAt }) => {
    if (wallAt <= from || wallAt > until) return false;
    const before = courses.findLast((other) => other.wallAt < wallAt);
    return marketAt < marketTimeAt(courses, wallAt - 1) - tolerance(before?.speed ?? 1);
  });

/**
 * The courses that begin at a reading of both clocks; none when the last one goes on.
 *
 * @param seen the reading before this one, of the same run. A clock that became slower between the two ran on from there:
 *   by its old course it would have come further, and seem to have gone back
 */
export function newCourses(
  courses: readonly ClockCourse[],
  seen: ClockCourse | null,
  reading: ClockCourse,
): ClockCourse[] {
  const last = courses.at(-1) ?? { wallAt: reading.wallAt, marketAt: reading.wallAt, speed: 1 };
  const expected = last.marketAt + (reading.wallAt - last.wallAt) * last.speed;
  const isSame = Math.abs(reading.marketAt - expected) <= tolerance(reading.speed);
  if (isSame && last.speed === reading.speed) return [];
  const passed = seen === null ? 0 : reading.wallAt - seen.wallAt;
  if (seen === null || passed <= 0 || reading.marketAt < seen.marketAt || reading.marketAt >= expected) {
    return [reading];
  }
  return [{ ...seen, speed: (reading.marketAt - seen.marketAt) / passed }, reading];
}
