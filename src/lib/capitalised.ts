/** A text whose first letter is a capital one. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
