import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { withStyles } from '../../../../../web/shared/lateStyles.ts';

const Loaded = lazy(() =>
  withStyles(import('./AlertMeDialog.tsx')).then((loaded) => ({ default: loaded.AlertMeDialog })),
);

/** The dialog that sets an alert over whatever is shown, fetched when it is first asked for. */
export const AlertMe = (props: ComponentProps<typeof Loaded>): ReactNode => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);
