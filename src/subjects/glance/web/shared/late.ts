/* What scanners fetch of the market at a glance when they need it, in one piece. */
export { GlanceStrip } from '../strip/GlanceStrip.tsx';
export { loadRanges } from './ranges.ts';
