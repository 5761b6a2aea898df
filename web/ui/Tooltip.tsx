import { type ReactElement, cloneElement, useId } from 'react';

type TooltipProps = { text: string; children: ReactElement<{ 'aria-describedby'?: string }> };

/** Shown on hover and focus, and set as the child's description. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  return (
    <span className="tooltip">
      {cloneElement(children, { 'aria-describedby': id })}
      <span className="tooltip-text" role="tooltip" id={id}>
        {text}
      </span>
    </span>
  );
}
