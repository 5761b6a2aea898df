import { marketClocks } from '#platform/db/schema.ts';
import type { Db } from '#platform/db/open.ts';
import { type ClockCourse, marketTimeAt, newCourses, wentBack } from '../rules/pricePath.ts';
import { lazy } from '#lib/lazy.ts';
import type { App } from '#platform/app.ts';

const byWall = (a: ClockCourse, b: ClockCourse): number => a.wallAt - b.wallAt;

function readCourses(db: Db): Map<string, ClockCourse[]> {
  const bySource = Map.groupBy(db.select().from(marketClocks).all(), ({ source }) => source);
  return new Map([...bySource].map(([source, courses]) => [source, courses.sort(byWall)]));
}

/**
 * Converts wall times, which date calls, to the time of their market's clock. The clock's course is recorded at every tick,
 * because a simulated day starts again with each run.
 */
export class MarketTimes {
  readonly #courses: () => Map<string, ClockCourse[]>;
  #seen: ClockCourse | null = null;

  constructor(private readonly app: App) {
    this.#courses = lazy(() => readCourses(app.db));
  }

  /** Records changes of the market clock's course; call it before dating anything. */
  look(): void {
    const { db, clock, source } = this.app;
    const known = this.#coursesOf(source.name);
    const reading = {
      wallAt: clock.now(),
      marketAt: source.clock.now(),
      speed: source.clock.speed,
    };
    const begun = newCourses(known, this.#seen, reading);
    this.#seen = reading;
    if (begun.length === 0) return;
    db.insert(marketClocks)
      .values(begun.map((course) => ({ source: source.name, ...course })))
      .run();
    this.#courses().set(source.name, [...known, ...begun].sort(byWall));
  }

  /** @param wall epoch ms @returns the time of that market's clock, epoch ms */
  shown(of: string, wall: number): number {
    return marketTimeAt(this.#coursesOf(of), wall);
  }

  /** Whether that clock went back between two wall times: its times cannot be on one axis then. */
  wentBack(of: string, from: number, until: number): boolean {
    return wentBack(this.#coursesOf(of), from, until);
  }

  #coursesOf(source: string): readonly ClockCourse[] {
    return this.#courses().get(source) ?? [];
  }
}
