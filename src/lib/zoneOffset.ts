/**
 * Makes the offset function of a time zone. Make it once per zone, because the first use of a zone is slow.
 * @param zone an IANA name, such as 'Australia/Sydney'
 * @returns the ms to add to UTC at an instant (epoch ms), in full seconds
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
