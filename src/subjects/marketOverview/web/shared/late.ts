/* One chunk with all code of this subject that the scanners load. */
export { SummaryBar } from '../SummaryBar.tsx';
export { loadRanges } from '../useOverview.ts';
