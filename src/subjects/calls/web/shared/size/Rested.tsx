import { type ReactNode, useEffect, useState } from 'react';

/** What is still typed or pointed at changes with every key and move; it is read out once it rests. */
const REST_MS = 600;

/** Reads a text out, politely, once it has rested. It is not seen. */
export function Rested({ text }: { text: string }): ReactNode {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className="visually-hidden" role="status">
      {said}
    </span>
  );
}
