import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';

const ConfirmDialog = lazy(() =>
  withStyles(import('#ui/ConfirmDialog.tsx')).then((code) => ({
    default: code.ConfirmDialog,
  })),
);

export const LateConfirm = (props: Omit<ComponentProps<typeof ConfirmDialog>, 'open'>): ReactNode => (
  <Suspense fallback={null}>
    <ConfirmDialog open {...props} />
  </Suspense>
);

const OnStock = lazy(() =>
  withStyles(import('./AlertMeDialog.tsx')).then((code) => ({ default: code.AlertMeDialog })),
);
const OnScan = lazy(() =>
  withStyles(import('./ScanAlertDialog.tsx')).then((code) => ({ default: code.ScanAlertDialog })),
);

export const AlertMe = (props: ComponentProps<typeof OnStock>): ReactNode => (
  <Suspense fallback={null}>
    <OnStock {...props} />
  </Suspense>
);

export const ScanAlertDialog = (props: ComponentProps<typeof OnScan>): ReactNode => (
  <Suspense fallback={null}>
    <OnScan {...props} />
  </Suspense>
);
