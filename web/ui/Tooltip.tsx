import { type ReactElement, cloneElement, useId } from 'react';

type TooltipProps = { text: string; children: ReactElement<{ 'aria-describedby'?: string }> };

/** A text that is shown on hover and focus, and is the child's description. */
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
