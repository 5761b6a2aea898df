import type { ComponentProps } from 'react';

type ButtonProps = ComponentProps<'button'> & {
  /** primary: the one thing to do here. plain: everything else. quiet: without a border, for tool bars. */
  variant?: 'primary' | 'plain' | 'quiet' | 'danger';
};

/** A button that does not send the form around it unless told to. */
export function Button({ variant = 'plain', type = 'button', className, ...rest }: ButtonProps) {
  return <button type={type} className={`button button-${variant} ${className ?? ''}`.trim()} {...rest} />;
}

/** A button that shows only an icon; its label is for assistive technology and the tooltip. */
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
