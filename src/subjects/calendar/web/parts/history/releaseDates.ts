/** Writes the dates of releases: '26 Nov 2026'. @param zone an IANA name */
export function releaseDates(zone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat('en-AU', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return (time) => format.format(Date.parse(time));
}
