/**
 * A weekday on which the exchange does otherwise than the rules of its calendar say: it is closed, it ends trading early,
 * or it trades as usual on what the rules hold for a holiday or a short day.
 */
export type SpecialDay = {
  /** YYYY-MM-DD in Sydney. */
  date: string;
  kind: 'closed' | 'early' | 'normal';
  /** HH:MM in Sydney, when continuous trading ends; null unless it ends early. */
  closesAt: string | null;
  /** Why, for people. */
  reason: string;
};

/*
 * The special days that this process knows. They are facts of the exchange, like the runtime's time zones, and every rule
 * about days and phases needs them, so they are not passed to each rule. Each server registers its whole list and removes
 * it when it stops. Several servers in one process, as in tests, share what any of them registered.
 */
const held = new Map<object, readonly SpecialDay[]>();
const known: { days: readonly SpecialDay[]; revision: number } = { days: [], revision: 0 };

/**
 * Makes days known in this process, in the place of those that the same holder gave before.
 * @param holder whose days they are; an empty list takes them back
 */
export function holdSpecialDays(holder: object, days: readonly SpecialDay[]): void {
  if (days.length === 0) held.delete(holder);
  else held.set(holder, days);
  const all = [...held.values()].flat();
  if (JSON.stringify(all) === JSON.stringify(known.days)) return;
  known.days = all;
  known.revision += 1;
}

/** @param date YYYY-MM-DD; @returns null on a day for which the rules of the calendar hold */
export const specialDay = (date: string): SpecialDay | null =>
  known.days.find((day) => day.date === date) ?? null;

/** All special days; each holder's in its own order. */
export const specialDays = (): readonly SpecialDay[] => known.days;

/** Another number once the special days have changed: what was worked out of them before may not hold any more. */
export const specialDaysRevision = (): number => known.revision;
