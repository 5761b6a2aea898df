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
 * Shows moments of the wall clock, by which calls are dated, as the clock of their market had them. The market's clock
 * is looked at with every tick and kept, because a simulated day begins again with each start.
 */
export class MarketTimes {
  readonly #courses: () => Map<string, ClockCourse[]>;
  #seen: ClockCourse | null = null;

  constructor(private readonly app: App) {
    this.#courses = lazy(() => readCourses(app.db));
  }

  /** Notes where the course of the market's clock changed; to be called before something is dated. */
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

  /** @param wall epoch ms @returns what the clock of the market of this name showed then, epoch ms */
  shown(of: string, wall: number): number {
    return marketTimeAt(this.#coursesOf(of), wall);
  }

  /** Whether that clock went back between two moments of the wall clock: its times can't be put on one line then. */
  wentBack(of: string, from: number, until: number): boolean {
    return wentBack(this.#coursesOf(of), from, until);
  }

  #coursesOf(source: string): readonly ClockCourse[] {
    return this.#courses().get(source) ?? [];
  }
}
