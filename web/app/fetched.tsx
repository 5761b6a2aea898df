import { type ReadonlySignal, signal } from '@preact/signals-react';
import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react';
import { onReconnect } from '../shared/onReconnect.ts';
import { LoadingOverlay } from '../ui/LoadingOverlay.tsx';

/**
 * Whether a part of the code could not be fetched, as after an update of the server, which has the parts of its own
 * version only. Browsers give no other sign than their sentence: Chromium, Firefox and Safari in this order; the last is our own.
 */
export const isLoadFailure = (problem: unknown): boolean =>
  problem instanceof Error &&
  /dynamically imported module: |^error loading dynamically imported module|^Importing a module script failed|^Failed to fetch the style sheet/.test(
    problem.message,
  );

const attempt = signal(0);

/** Counts how often code that had failed to come could be asked for again: what failed for want of it has another chance. */
export const codeAttempt: ReadonlySignal<number> = attempt;

type State<P> = { Code: ComponentType<P> | null; problem: unknown };

type Fetched<P> = {
  (props: P): ReactNode;
  /** Fetches the code ahead. A failure is forgotten: it counts when the component itself asks for the code. */
  preload(): void;
};

/**
 * A component whose code is fetched when it is first shown. Not `lazy`: React holds back for 300 ms what replaces a
 * fallback, and draws it in one go, which a phone feels. An error of the fetch is thrown while it renders, then and
 * whenever it is shown again: only a reload brings the code of a newer server. Code that did not come is asked for again
 * once the network or the server is back.
 */
export function fetched<P extends object>(load: () => Promise<ComponentType<P>>): Fetched<P> {
  let known: State<P> = { Code: null, problem: null };
  let loading: Promise<ComponentType<P>> | null = null;
  const fetchOnce = async (): Promise<void> => {
    loading ??= load();
    try {
      known = { Code: await loading, problem: null };
    } finally {
      loading = null;
    }
  };
  const tryAgain = () => {
    known = { Code: null, problem: null };
    attempt.value += 1;
  };
  function Page(props: P): ReactNode {
    const [{ Code, problem }, setState] = useState(known);
    // What failed while the network came back was given another chance before it could be shown here.
    const hasFailed = problem !== null && known.problem === problem;
    useEffect(() => {
      if (Code !== null || hasFailed) return;
      let isShown = true;
      const show = () => {
        if (isShown) startTransition(() => setState(known));
      };
      const fail = (failure: unknown) => {
        known = { Code: null, problem: failure };
        if (isLoadFailure(failure)) onReconnect(tryAgain);
        show();
      };
      if (known.Code !== null) show();
      else fetchOnce().then(show, fail);
      return () => void (isShown = false);
    }, [Code, problem, hasFailed]);
    if (hasFailed) throw problem;
    return Code ? <Code {...props} /> : <LoadingOverlay />;
  }
  return Object.assign(Page, { preload: () => void fetchOnce().catch(() => undefined) });
}
