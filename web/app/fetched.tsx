import { type ReadonlySignal, signal } from '@preact/signals-react';
import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react';
import { onReconnect } from '../shared/onReconnect.ts';
import { LoadingOverlay } from '../ui/LoadingOverlay.tsx';

/**
 * Whether code could not be fetched, for example after an update of the server. Browsers only provide a sentence:
 * Chromium, Firefox and Safari in this order; the last one is ours.
 */
export const isLoadFailure = (problem: unknown): boolean =>
  problem instanceof Error &&
  /dynamically imported module: |^error loading dynamically imported module|^Importing a module script failed|^Failed to fetch the style sheet/.test(
    problem.message,
  );

const attempt = signal(0);

/** Counts retries of failed code, so that dependents can retry too. */
export const codeAttempt: ReadonlySignal<number> = attempt;

type State<P> = { Code: ComponentType<P> | null; problem: unknown };

type Fetched<P> = {
  (props: P): ReactNode;
  /** Fetches the code in advance. A failure is ignored here; the component reports it when it needs the code. */
  preload(): void;
};

/**
 * A component whose code is fetched when it is first shown. React's `lazy` is not used: it delays the replacement of a
 * fallback by 300 ms and draws it in one go, which blocks a phone. A fetch error is thrown while rendering, also later,
 * because only a reload gets a newer server's code. Fetching is retried when the network or the server is back.
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
    // A failure during the reconnect was already retried.
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
