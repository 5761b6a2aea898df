import { createZoneOffset } from '../../../lib/zoneOffset.ts';

/** Finds instants by the clocks of time zones; keeps an offset a zone, which is dear to make. */
export type LocalTimes = {
  /**
   * The instant of a date and time of day in a time zone. A time that daylight saving skips gives one near it.
   * @param date YYYY-MM-DD; @param time 'HH:MM'
   * @returns epoch ms
   */
  instant(zone: string, date: string, time: string): number;
};

export function createLocalTimes(): LocalTimes {
  const offsets = new Map<string, (instant: number) => number>();

  function offsetOf(zone: string): (instant: number) => number {
    const known = offsets.get(zone);
    if (known) return known;
    const made = createZoneOffset(zone);
    offsets.set(zone, made);
    return made;
  }

  return {
    instant(zone, date, time) {
      const offset = offsetOf(zone);
      const local = Date.parse(`${date}T${time}:00Z`);
      return local - offset(local - offset(local));
    },
  };
}
