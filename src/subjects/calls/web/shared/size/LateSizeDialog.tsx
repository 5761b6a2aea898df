import { lazy, type ReactNode, Suspense } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';

const SizeDialog = lazy(() =>
  withStyles(import('./SizeDialog.tsx')).then((code) => ({ default: code.SizeDialog })),
);

/** The dialog that sets the limits of sizes, fetched when it is first asked for. */
export const LateSizeDialog = (props: { onClose(): void }): ReactNode => (
  <Suspense fallback={null}>
    <SizeDialog {...props} />
  </Suspense>
);
