/**
 * A rule for browsers with an older name of `:is()`. The bundler has unfolded all nesting. Its selector
 * begins after the brace or semicolon before it.
 */
const PREFIXED = /[^{};]{0,2000}:-(?:webkit|moz)-any\([^{}]{0,2000}\{[^{}]{0,4000}\}/g;

/**
 * Removes the bundler's copies of rules with `:is()` under two older names. There an element in the brackets
 * weighs as much as a class, so in Chromium, which knows one of them, such a rule would win wrongly. Every
 * supported browser knows `:is()`.
 * @param css of the bundler
 */
export const withoutPrefixedAny = (css: string): string => css.replace(PREFIXED, '');
