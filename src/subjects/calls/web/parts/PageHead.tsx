import { type ReactNode, useRef } from 'react';
import LinkIcon from 'lucide-react/icons/link';
import { copyText } from '#web/shared/copyText.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { Button } from '#ui/Button.tsx';

/** Copies the whole address of a page, to be sent to somebody. @param path after '#' */
export function CopyLink({ path }: { path: string }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const copy = async (): Promise<void> => {
    const address = `${window.location.href.split('#')[0]}#${path}`;
    const isCopied = await copyText(address, button.current?.parentElement ?? null);
    showSnackbar(isCopied ? 'Link copied.' : `Copy this address: ${address}`);
  };
  return (
    <Button ref={button} onClick={() => void copy()}>
      <LinkIcon size={14} aria-hidden />
      Copy link
    </Button>
  );
}

type PageHeadProps = {
  title: string;
  /** Where one level up is. */
  back: { to: string; label: string };
  notes: ReactNode;
  children: ReactNode;
};

/** The head of a page below Calls: its title, what is to be said beside it, and what can be done. */
export const PageHead = ({ title, back, notes, children }: PageHeadProps): ReactNode => (
  <header className="row gap-2-3 break-words">
    <a className="touch" href={`#${back.to}`}>
      {back.label}
    </a>
    <h1>{title}</h1>
    {notes}
    <span className="push">{children}</span>
  </header>
);
