import { signal } from '@preact/signals-react';

/**
 * Why the last change of a layout was not saved, and was taken back; null when it was saved. Apart from `layouts.ts`,
 * which writes it and is fetched with the first change.
 */
export const layoutError = signal<string | null>(null);
