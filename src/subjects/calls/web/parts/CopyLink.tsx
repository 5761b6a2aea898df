import LinkIcon from 'lucide-react/icons/link';
import { type ReactNode, useRef } from 'react';
import { copyText } from '../../../../../web/shared/copyText.ts';
import { showSnackbar } from '../../../../../web/ui/Snackbar.tsx';
import { Button } from '../../../../../web/ui/Button.tsx';

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
