import { type ReactNode, useState } from 'react';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';

type RetryBoundaryProps = {
  /** Text shown after a failure. */
  sentence: string;
  children: ReactNode;
  onRetry?(): void;
};

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
