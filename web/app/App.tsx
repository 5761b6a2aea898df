import { ErrorBoundary } from '../shared/ErrorBoundary.tsx';
import { Shell } from './Shell.tsx';

/**
 * The whole page after the shell itself failed. It uses nothing of the product, neither components nor styles, as any
 * of them may be what failed.
 */
function AppFailure() {
  return (
    <main style={{ margin: 'auto', padding: 24, textAlign: 'center' }}>
      <div role="alert">
        <h1>Bellbird stopped working.</h1>
        <p>Reload the page. If it happens again, tell the administrator what you were doing.</p>
      </div>
      <p>
        <button type="button" style={{ color: 'revert' }} onClick={() => window.location.reload()}>
          Reload
        </button>
      </p>
    </main>
  );
}

/** The whole page, and what stands there when even the shell fails. */
export function App() {
  return (
    <ErrorBoundary fallback={() => <AppFailure />}>
      <Shell />
    </ErrorBoundary>
  );
}
