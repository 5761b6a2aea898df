import { type ReactNode, useState } from 'react';
import { Banner } from './Banner.tsx';
import { Button } from './Button.tsx';

type RetryBannerProps = {
  /** Loads again what could not be loaded; resolves once it has an outcome. */
  onRetry(): Promise<unknown>;
  /** Why it could not be loaded. */
  children: string;
};

/** Says why something could not be loaded, with a Retry that is pressed once at a time and keeps the focus meanwhile. */
export function RetryBanner({ onRetry, children }: RetryBannerProps): ReactNode {
  const [isLoading, setLoading] = useState(false);
  const retry = async () => {
    setLoading(true);
    await onRetry();
    setLoading(false);
  };
  return (
    <Banner
      action={
        <Button aria-disabled={isLoading || undefined} onClick={() => void (isLoading || retry())}>
          Retry
        </Button>
      }
    >
      {children}
    </Banner>
  );
}
