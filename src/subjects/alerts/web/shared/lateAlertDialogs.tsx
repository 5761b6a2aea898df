import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';

const ConfirmDialog = lazy(() =>
  withStyles(import('#ui/ConfirmDialog.tsx')).then((code) => ({
    default: code.ConfirmDialog,
  })),
);

/** Asks before something is lost; its code comes when it is first asked. */
export const LateConfirm = (props: Omit<ComponentProps<typeof ConfirmDialog>, 'open'>): ReactNode => (
  <Suspense fallback={null}>
    <ConfirmDialog open {...props} />
  </Suspense>
);

const OnStock = lazy(() =>
  withStyles(import('./AlertMeDialog.tsx')).then((code) => ({ default: code.AlertMeDialog })),
);
const OnScan = lazy(() =>
  withStyles(import('./scanAlerts/ScanAlertDialog.tsx')).then((code) => ({ default: code.ScanAlertDialog })),
);

/** The dialog that sets an alert over whatever is shown, fetched when it is first asked for. */
export const AlertMe = (props: ComponentProps<typeof OnStock>): ReactNode => (
  <Suspense fallback={null}>
    <OnStock {...props} />
  </Suspense>
);

/** The dialog of an alert on a scan, fetched when it is first asked for. */
export const ScanAlertDialog = (props: ComponentProps<typeof OnScan>): ReactNode => (
  <Suspense fallback={null}>
    <OnScan {...props} />
  </Suspense>
);
