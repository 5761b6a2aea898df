import { ErrorBoundary } from '../shared/ErrorBoundary.tsx';
import { Shell } from './Shell.tsx';

/** Shown if the shell fails. It uses no component or style of the product, because any of them may be the cause. */
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

export function App() {
  return (
    <ErrorBoundary fallback={() => <AppFailure />}>
      <Shell />
    </ErrorBoundary>
  );
}
