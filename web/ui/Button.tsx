import type { ComponentProps } from 'react';

type ButtonProps = ComponentProps<'button'> & {
  /** primary: the main action. plain: other actions. quiet: without a border, for tool bars. */
  variant?: 'primary' | 'plain' | 'quiet' | 'danger';
};

/** A button that does not submit a form unless `type` says so. */
export function Button({ variant = 'plain', type = 'button', className, ...rest }: ButtonProps) {
  return <button type={type} className={`button button-${variant} ${className ?? ''}`.trim()} {...rest} />;
}

/** A button with an icon. The label is for screen readers and the tooltip. */
export function IconButton({ label, className, ...rest }: ButtonProps & { label: string }) {
  return (
    <Button
      variant="quiet"
      aria-label={label}
      title={label}
      className={`button-icon ${className ?? ''}`}
      {...rest}
    />
  );
}
