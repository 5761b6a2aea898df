/**
 * Whether something holds. In this order, so that of conditions that must all hold the least decides, and of a group
 * the greatest. So what is unknown counts only where it decides: a condition that is false makes the whole false
 * whatever else is unknown, and one that is true makes its group true.
 */
export const FALSE = 0;
export const UNKNOWN = 1;
export const TRUE = 2;
export type Truth = typeof FALSE | typeof UNKNOWN | typeof TRUE;
