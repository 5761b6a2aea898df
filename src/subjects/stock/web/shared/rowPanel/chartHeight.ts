/** Of the chart in a row, px: what waits for it has the same, so that the rows below do not jump. */
export const CHART_HEIGHT = 280;
