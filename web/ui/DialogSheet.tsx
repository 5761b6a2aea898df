import { Dialog } from '@base-ui/react/dialog';
import XIcon from 'lucide-react/icons/x';
import type { ReactNode, RefObject } from 'react';
import './DialogSheet.css';

type DialogSheetProps = {
  open: boolean;
  title: string;
  /** One sentence under the title. */
  description?: string;
  /** Called for Escape, the cross and a click outside. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the bottom, the main one last. */
  footer?: ReactNode;
  /** What the cross is called; another name where a button inside is called Close. */
  closeLabel?: string;
  /** narrow 400 px, normal 560 px, wide 900 px; on a phone always the whole screen. */
  width?: 'narrow' | 'normal' | 'wide';
  /** top: stays where it is while what it holds grows and shrinks; not on a phone. */
  place?: 'middle' | 'top';
  /** What has the focus first, instead of the cross. `autoFocus` would lose where the focus came from. */
  initialFocus?: RefObject<HTMLElement | null>;
};

/**
 * A modal dialog: focus stays inside and returns to where it came from; a full-height sheet on a phone.
 * Import it lazily: it brings Base UI along.
 */
export function DialogSheet(props: DialogSheetProps) {
  const {
    open,
    title,
    description,
    onClose,
    children,
    footer,
    closeLabel = 'Close',
    width = 'normal',
    place = 'middle',
    initialFocus,
  } = props;
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className={`dialog dialog-${width} dialog-${place}`} initialFocus={initialFocus}>
          <header className="dialog-head">
            <Dialog.Title className="dialog-title">{title}</Dialog.Title>
            <Dialog.Close
              className="button button-quiet button-icon"
              aria-label={closeLabel}
              title={closeLabel}
            >
              <XIcon size={18} aria-hidden />
            </Dialog.Close>
          </header>
          {description && (
            <Dialog.Description className="dialog-description">{description}</Dialog.Description>
          )}
          <div className="dialog-body">{children}</div>
          {footer && <footer className="dialog-foot">{footer}</footer>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
