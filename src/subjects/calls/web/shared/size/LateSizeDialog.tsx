import { lazy, type ReactNode, Suspense } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';

const SizeDialog = lazy(() =>
  withStyles(import('./size.tsx')).then((code) => ({ default: code.SizeDialog })),
);

export const LateSizeDialog = (props: { onClose(): void }): ReactNode => (
  <Suspense fallback={null}>
    <SizeDialog {...props} />
  </Suspense>
);
