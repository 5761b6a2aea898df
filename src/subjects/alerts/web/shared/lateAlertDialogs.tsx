import { late } from '#web/shared/lateStyles.ts';

export const AlertMe = late(() => import('./AlertMeDialog.tsx').then((code) => code.AlertMeDialog));
export const ScanAlertDialog = late(() =>
  import('./ScanAlertDialog.tsx').then((code) => code.ScanAlertDialog),
);
