/** @jsxImportSource preact */
// A question before what cannot be undone: the browser's own dialog, which holds the focus.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { Button } from './Button';

/** What a dialog is given. */
export type DialogProps = {
  isOpen: boolean;
  title: string;
  /** What the dangerous button says. */
  verb: string;
  onConfirm: () => unknown;
  onClose: () => void;
  children: ComponentChildren;
};

/** Draw a dialog; Escape and “Cancel” close it, and the focus goes back to where it was. */
export function Dialog(props: DialogProps): JSX.Element {
  const { isOpen, title, verb, onConfirm, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const confirm = (): void => {
    onClose();
    onConfirm();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      {isOpen && (
        <>
          <h3 id={id}>{title}</h3>
          {children}
          <div class="actions">
            <Button kind="danger" onClick={confirm}>
              {verb}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </>
      )}
    </dialog>
  );
}
