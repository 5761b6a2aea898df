import { type ReactNode, useState } from 'react';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';

type RetryBoundaryProps = {
  /** What is said in the place of the children after they failed. */
  sentence: string;
  children: ReactNode;
};

/** A part of a screen that may fail alone, and be tried again; what is around it stays as it is. */
export function RetryBoundary({ sentence, children }: RetryBoundaryProps) {
  const [attempt, setAttempt] = useState(0);
  const retry = <Button onClick={() => setAttempt((count) => count + 1)}>Retry</Button>;
  return (
    <ErrorBoundary resetKey={String(attempt)} fallback={() => <Banner action={retry}>{sentence}</Banner>}>
      {children}
    </ErrorBoundary>
  );
}
