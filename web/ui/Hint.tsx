import { type ReactElement, cloneElement, useId } from 'react';

/** Shows a sentence under its child on hover and focus, and reads it out as the child's description. */
export function Hint({
  text,
  children,
}: {
  text: string;
  children: ReactElement<{ 'aria-describedby'?: string }>;
}) {
  const id = useId();
  return (
    <span className="hint">
      {cloneElement(children, { 'aria-describedby': id })}
      <span className="hint-text" role="tooltip" id={id}>
        {text}
      </span>
    </span>
  );
}
