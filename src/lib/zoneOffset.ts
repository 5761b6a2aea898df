/**
 * Makes the function that gives a time zone's offset from UTC, as the runtime knows it. Made once a zone: the first use
 * of a zone is dear.
 * @param zone an IANA name, such as 'Australia/Sydney'
 * @returns of an instant (epoch ms) the ms to add to UTC, of a full second
 */
export function createZoneOffset(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-AU', {
    timeZone: zone,
    // `hour12: false` prints midnight as 24 in Chromium.
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (instant) => {
    const read: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(instant)) read[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
  };
}
