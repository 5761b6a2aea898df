/** How many lines of a log file are read at once (specification, section 9). */
export const TAIL_LINES = { min: 1, max: 5000, default: 30 } as const;
