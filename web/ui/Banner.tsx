import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from './Button.tsx';

type BannerProps = {
  /** error is read out at once; warn and info wait for a pause. */
  variant?: 'error' | 'warn' | 'info';
  children: ReactNode;
  /** Without it the banner can't be dismissed. */
  onDismiss?: () => void;
  /** A button that does something about it, such as Retry. */
  action?: ReactNode;
};

/** One sentence that says what happened and what to do. */
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

/** The one sentence that says why a form was refused; nothing stands there while it was not. */
export function FormError({ children }: { children: ReactNode }): ReactNode {
  return (
    <p className="field-error" role="alert">
      {children}
    </p>
  );
}
