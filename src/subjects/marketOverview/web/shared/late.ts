/* One chunk with what the scanners load of this subject. */
export { SummaryBar as SummaryBar } from '../SummaryBar.tsx';
export { loadRanges } from '../useOverview.ts';
