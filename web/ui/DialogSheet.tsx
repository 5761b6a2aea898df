import { Dialog } from '@base-ui/react/dialog';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useBackCloses } from './sheetHistory.ts';
import './uiLate.css';

type DialogSheetProps = {
  open: boolean;
  title: string;
  description?: string;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** The name of the cross, needed if a button in the dialog is called Close. */
  closeLabel?: string;
  /** narrow is 400 px, normal 560 px, wide 900 px; on a phone always full screen. */
  width?: 'narrow' | 'normal' | 'wide';
  /** top: a fixed position while the content changes height; side: along the right edge. Ignored on a phone. */
  place?: 'middle' | 'top' | 'side';
  /** Gets the initial focus instead of the first control. `autoFocus` would lose the previous focus. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Called on close: whether to restore the focus, or another element to focus. Omit to restore it. */
  returnsFocus?: () => boolean | HTMLElement;
};

const CONTROLS = 'input, select, textarea, button, a[href]';

/** The first enabled control, otherwise the content itself, so that keys scroll it. */
function firstControl(content: HTMLElement | null): HTMLElement | null {
  const controls = content?.querySelectorAll<HTMLElement>(CONTROLS) ?? [];
  return [...controls].find((one) => !one.matches(':disabled') && one.tabIndex >= 0) ?? content;
}

/** A modal dialog, which traps and restores the focus. Import it lazily, because it loads Base UI. */
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
  useBackCloses(open, onClose);
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
          <DialogBody content={content}>{children}</DialogBody>
          {footer && <div className="dialog-foot phone-fill">{footer}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type DialogBodyProps = { content: RefObject<HTMLDivElement | null>; children: ReactNode };

/** Content without controls is itself a stop of the Tab key, so that keys scroll it. */
function DialogBody({ content, children }: DialogBodyProps) {
  const [hasControls, setHasControls] = useState(true);
  useEffect(() => setHasControls(firstControl(content.current) !== content.current), [content, children]);
  return (
    <div className="dialog-body" ref={content} tabIndex={hasControls ? -1 : 0}>
      {children}
    </div>
  );
}

/** No `header` element, because in a dialog it would be another banner of the page. */
function DialogHead({ title, closeLabel }: { title: string; closeLabel: string }) {
  return (
    <div className="dialog-head">
      <Dialog.Title>{title}</Dialog.Title>
      <Dialog.Close className="button button-quiet button-icon" aria-label={closeLabel} title={closeLabel}>
        <XIcon size={18} aria-hidden />
      </Dialog.Close>
    </div>
  );
}
