const MINUTE_MS = 60_000;

/** Finds instants by the clocks of time zones; keeps a formatter a zone, which is dear to make. */
export type LocalTimes = {
  /**
   * The instant of a date and time of day in a time zone. A time that daylight saving skips gives one near it.
   * @param date YYYY-MM-DD; @param time 'HH:MM'
   * @returns epoch ms
   */
  instant(zone: string, date: string, time: string): number;
};

export function createLocalTimes(): LocalTimes {
  const formats = new Map<string, Intl.DateTimeFormat>();

  function formatOf(zone: string): Intl.DateTimeFormat {
    const known = formats.get(zone);
    if (known) return known;
    const made = new Intl.DateTimeFormat('en-AU', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(zone, made);
    return made;
  }

  /** The zone's offset from UTC at an instant of a full minute, ms. */
  function offset(zone: string, instant: number): number {
    const read: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of formatOf(zone).formatToParts(instant)) read[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = read;
    return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instant / MINUTE_MS) * MINUTE_MS;
  }

  return {
    instant(zone, date, time) {
      const local = Date.parse(`${date}T${time}:00Z`);
      const first = local - offset(zone, local);
      return local - offset(zone, first);
    },
  };
}
