import { ErrorBoundary } from '../shared/ErrorBoundary.tsx';
import { AppFailure } from './failure/AppFailure.tsx';
import { Shell } from './Shell.tsx';

/** The whole page, and what stands there when even the shell fails. */
export function App() {
  return (
    <ErrorBoundary fallback={() => <AppFailure />}>
      <Shell />
    </ErrorBoundary>
  );
}
