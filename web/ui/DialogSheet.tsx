import { Dialog } from '@base-ui/react/dialog';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useRef } from 'react';
import './uiLate.css';

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
  /** top: stays where it is while what it holds grows and shrinks; side: along the right edge. Neither on a phone. */
  place?: 'middle' | 'top' | 'side';
  /** What has the focus first, instead of the first control of the content. `autoFocus` would lose where it came from. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Asked when it closes: whether the focus goes back to where it came from, or where else; it does when left out. */
  returnsFocus?: () => boolean | HTMLElement;
};

const CONTROLS = 'input, select, textarea, button, a[href]';

/** The first control of the content that can be used; the content itself, which keys then scroll, when it has none. */
function firstControl(content: HTMLElement | null): HTMLElement | null {
  const controls = content?.querySelectorAll<HTMLElement>(CONTROLS) ?? [];
  return [...controls].find((one) => !one.matches(':disabled') && one.tabIndex >= 0) ?? content;
}

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
    returnsFocus,
  } = props;
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup
          className={`dialog dialog-${width} dialog-${place}`}
          initialFocus={initialFocus ?? ((how) => how === 'touch' || firstControl(content.current))}
          finalFocus={returnsFocus}
        >
          <DialogHead title={title} closeLabel={closeLabel} />
          {description && (
            <Dialog.Description className="dialog-description">{description}</Dialog.Description>
          )}
          <div className="dialog-body" ref={content} tabIndex={-1}>
            {children}
          </div>
          {footer && <footer className="dialog-foot phone-fill">{footer}</footer>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function DialogHead({ title, closeLabel }: { title: string; closeLabel: string }) {
  return (
    <header className="dialog-head">
      <Dialog.Title>{title}</Dialog.Title>
      <Dialog.Close className="button button-quiet button-icon" aria-label={closeLabel} title={closeLabel}>
        <XIcon size={18} aria-hidden />
      </Dialog.Close>
    </header>
  );
}
