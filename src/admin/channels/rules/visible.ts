/** Anything but spaces, control characters and signs that take no room or show nothing. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Cs}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]/u;

/** Whether anything of a text can be seen: platforms refuse a message of which nothing can. */
export const hasVisible = (text: string): boolean => VISIBLE.test(text);
