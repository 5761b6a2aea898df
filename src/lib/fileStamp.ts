/** A moment as it stands in a file's name: 2026-11-22T16-10-00-000Z. @param now epoch ms */
export const fileStamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');
