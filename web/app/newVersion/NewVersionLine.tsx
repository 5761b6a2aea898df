import './NewVersionLine.css';
import XIcon from 'lucide-react/icons/x';
import { useState } from 'react';
import { Button, IconButton } from '#ui/Button.tsx';
import { dismissNewVersion, offersNewVersion } from './newVersion.ts';
import { holdsTypedText } from './typedText.ts';

/** Offers a reload after the server was updated. The page reloads only when asked to, and not over something typed. */
export function NewVersionLine() {
  const [warns, setWarns] = useState(false);
  if (!offersNewVersion.value) return null;
  const reload = () => {
    if (!warns && holdsTypedText()) setWarns(true);
    else window.location.reload();
  };
  const dismiss = () => {
    setWarns(false);
    dismissNewVersion();
  };
  return (
    <div className="new-version">
      <p role="status">
        {warns ? 'What you typed here is not saved: reloading loses it.' : 'Bellbird was updated.'}
      </p>
      <Button onClick={reload}>{warns ? 'Reload anyway' : 'Reload for the new version'}</Button>
      <IconButton label="Dismiss" onClick={dismiss}>
        <XIcon size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
