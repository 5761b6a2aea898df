import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from './Button.tsx';

type BannerProps = {
  /** error is announced immediately; warn and info are announced after a pause. */
  variant?: 'error' | 'warn' | 'info';
  children: ReactNode;
  /** Omit for a banner without a close button. */
  onDismiss?: () => void;
  action?: ReactNode;
};

export function Banner({ variant = 'error', children, onDismiss, action }: BannerProps) {
  return (
    <div className={`banner tone-${variant}`} role={variant === 'error' ? 'alert' : 'status'}>
      <p>{children}</p>
      {action}
      {onDismiss && (
        <IconButton label="Dismiss" onClick={onDismiss}>
          <XIcon size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

type RetryBannerProps = {
  /** Resolves when the result of the retry is known. */
  onRetry(): Promise<unknown>;
  children: string;
};

/** An error with a Retry button, which cannot be clicked twice and keeps the focus. */
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

/** Shows why a form was refused; empty if it was not. */
export function FormError({ children }: { children: ReactNode }): ReactNode {
  return (
    <p className="field-error" role="alert">
      {children}
    </p>
  );
}
