import { lazy } from 'react';
import { withStyles } from '../../../../../../web/shared/lateStyles.ts';

/** The dialog of an alert on a scan; it is fetched when it is first asked for. */
export const ScanAlertDialog = lazy(() =>
  withStyles(import('./ScanAlertDialog.tsx')).then((code) => ({ default: code.ScanAlertDialog })),
);
