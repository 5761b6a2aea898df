const DAY_MS = 86_400_000;

/** So many days before its end a certificate is worth a look: those that are renewed by themselves are so 30 days before. */
export const CERTIFICATE_SOON_DAYS = 14;

/** Whether a certificate ends within some days, or has ended. Times are epoch ms. */
export const endsWithin = (endsAt: number, now: number, days: number): boolean =>
  endsAt - now <= days * DAY_MS;
