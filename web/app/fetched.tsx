import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react';
import { LoadingOverlay } from '../ui/LoadingOverlay.tsx';

type State<P> = { Code: ComponentType<P> | null; problem: unknown };

/**
 * A component whose code is fetched when it is first shown. Not `lazy`: React holds back for 300 ms what replaces a
 * fallback, and draws it in one go, which a phone feels. An error of the fetch is thrown while it renders, then and
 * whenever it is shown again: only a reload brings the code of a newer server.
 */
export function fetched<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: State<P> = { Code: null, problem: null };
  return function Fetched(props: P): ReactNode {
    const [{ Code, problem }, setState] = useState(known);
    useEffect(() => {
      if (known.Code !== null || known.problem !== null) return;
      let isShown = true;
      const show = (next: State<P>) => {
        known = next;
        if (isShown) startTransition(() => setState(next));
      };
      load().then(
        (code) => show({ Code: code, problem: null }),
        (failure: unknown) => show({ Code: null, problem: failure }),
      );
      return () => {
        isShown = false;
      };
    }, []);
    if (problem !== null) throw problem;
    return Code ? <Code {...props} /> : <LoadingOverlay />;
  };
}
