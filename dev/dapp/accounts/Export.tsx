/** @jsxImportSource preact */
// A private key, shown after a question here and a dialog of the snap, and gone again soon.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Button, Code, Dialog } from '../components';
import type { Action } from '../components';
import { useSession } from '../session';

/** How long a key is shown, in seconds. */
const SHOWN_S = 30;

/** Draw the question about an account, and then its key. */
export function Export({
  account,
  action,
  onClose,
}: {
  account: KeyringAccount | undefined;
  action: Action;
  onClose: () => void;
}): JSX.Element {
  const { provider } = useSession();
  const [key, setKey] = useState<string>();
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (key === undefined) return undefined;
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : hide()), 1_000);
    return () => clearTimeout(timer);
  }, [key, left]);
  const hide = (): void => {
    setKey(undefined);
    action.reset();
  };
  const ask = async (id: string): Promise<string> => {
    const request = { method: 'keyring_exportAccount', params: { id } };
    const { privateKey } = await provider.request<{ privateKey: string }>(request);
    setKey(privateKey);
    setLeft(SHOWN_S);
    return 'The key is shown below.';
  };
  return (
    <>
      <Dialog
        isOpen={account !== undefined}
        title="Export the private key?"
        verb="Ask the snap for it"
        onConfirm={() => account && void action.run(() => ask(account.id))}
        onClose={onClose}
      >
        <p class="mono wrap">{account?.address}</p>
        <p>
          Whoever has the key has the account. Nobody may look at your screen; no page
          and no person ever needs it.
        </p>
      </Dialog>
      {key !== undefined && (
        <div class="secret">
          <Code text={key} label="Private key" />
          <div class="actions">
            <Button onClick={hide}>Hide now</Button>
            <span class="soft small num">Hidden in {left} s</span>
          </div>
        </div>
      )}
    </>
  );
}
