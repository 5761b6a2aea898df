import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { IconButton } from './Button.tsx';

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
