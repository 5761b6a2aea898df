/* One chunk with what the scanners load of this subject. */
export { GlanceStrip } from '../GlanceStrip.tsx';
export { loadRanges } from '../useGlance.ts';
