import { type ReactNode, useState } from 'react';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';

type RetryBoundaryProps = {
  /** What is said in the place of the children after they failed. */
  sentence: string;
  children: ReactNode;
  /** Called before the children are tried again. */
  onRetry?(): void;
};

/** A part of a screen that may fail alone, and be tried again; what is around it stays as it is. */
export function RetryBoundary({ sentence, children, onRetry }: RetryBoundaryProps) {
  const [attempt, setAttempt] = useState(0);
  const again = () => {
    onRetry?.();
    setAttempt((count) => count + 1);
  };
  const retry = <Button onClick={again}>Retry</Button>;
  return (
    <ErrorBoundary resetKey={String(attempt)} fallback={() => <Banner action={retry}>{sentence}</Banner>}>
      {children}
    </ErrorBoundary>
  );
}
