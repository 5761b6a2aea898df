/** Up to which trigger a window was told: of alerts on stocks, and of alerts on whole scans. */
export type StreamPlace = { alert: number; scan: number };

/** A place as the id of an event, by which a client comes back to it, also in a later run. */
export const placeId = ({ alert, scan }: StreamPlace): string =>
  scan === 0 ? String(alert) : `${alert}.${scan}`;

/** @returns null for what is no place */
export function readPlace(id: string | null): StreamPlace | null {
  const read = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id ?? '');
  return read && { alert: Number(read[1]), scan: Number(read[2] ?? 0) };
}
