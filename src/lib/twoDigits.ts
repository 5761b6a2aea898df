/** A number of a clock or a date, with a zero before a single digit: '07'. @param value whole, not negative */
export const twoDigits = (value: number): string => String(value).padStart(2, '0');
