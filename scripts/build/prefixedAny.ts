/**
 * A rule for browsers that know `:is()` by an older name. Nothing is nested in it: the bundler has unfolded all.
 * Its selector begins behind the brace or semicolon before it.
 */
const PREFIXED = /[^{};]{0,2000}:-(?:webkit|moz)-any\([^{}]{0,2000}\{[^{}]{0,4000}\}/g;

/**
 * Takes the bundler's copies of rules with `:is()` out. It writes each under two older names besides, and under those an
 * element in the brackets weighs as much as a class: in Chromium, which knows one of them, such a rule would win over
 * others that it should lose against. Every browser that can show the page knows `:is()`.
 * @param css of the bundler
 */
export const withoutPrefixedAny = (css: string): string => css.replace(PREFIXED, '');
