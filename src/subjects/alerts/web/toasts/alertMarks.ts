import { createRowMarks } from '../../../../../web/shared/rowMarks.ts';

/** So long the row of a symbol whose alert fired is marked. */
export const ALERT_MARKED_MS = 60_000;

/** A bell before the code. A phone's name column has room for a code and the mark of news, so it is smaller there. */
export const ALERT_MARKS = createRowMarks({
  at: ' .name-cell-code::before',
  mark: `
    content: '' / 'Alert fired, ';
    display: inline-block;
    width: 12px;
    height: 12px;
    margin-right: 4px;
    vertical-align: -1px;
    background: var(--accent);
    clip-path: path('M6 0a4 4 0 0 1 4 4v3l1.5 2h-11L2 7V4a4 4 0 0 1 4-4zM4.5 10h3a1.5 1.5 0 0 1-3 0z');
  `,
  onPhone: 'scale: 0.75; transform-origin: left; margin-right: -2px;',
});
