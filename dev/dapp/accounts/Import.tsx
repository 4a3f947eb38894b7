/** @jsxImportSource preact */
// An account from elsewhere: by its private key, or by a keystore file with its password. The
// file is opened here; only the key goes to the snap.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { decryptKeystore } from '../../../src/eth/keystore';
import { Button, Card, Output, SelectField, TextField, useAction } from '../components';
import { useSession } from '../session';
import { useCreate } from './use-create';

const ways = [
  { value: 'key', label: 'Private key' },
  { value: 'file', label: 'Keystore file (version 3)' },
];

/** Draw the form. */
export function Import(): JSX.Element {
  const { status } = useSession();
  const [way, setWay] = useState('key');
  const [secret, setSecret] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const action = useAction();
  const create = useCreate();
  const bring = async (): Promise<string> => {
    const privateKey = way === 'key' ? secret.trim() : await open(file.current, secret);
    const said = await create({ type: 'eip155:eoa', privateKey });
    setSecret('');
    return said;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void action.run(bring);
  };
  return (
    <Card title="Import">
      <form class="form" onSubmit={submit}>
        <SelectField
          label="From"
          value={way}
          options={ways}
          onInput={(next) => {
            setWay(next);
            setSecret('');
          }}
        />
        {way === 'file' && (
          <div class="field">
            <label for="keystore">File</label>
            <input
              id="keystore"
              ref={file}
              type="file"
              accept=".json,application/json"
            />
          </div>
        )}
        <TextField
          label={way === 'key' ? 'Private key' : 'Password of the file'}
          type="password"
          autocomplete="new-password"
          value={secret}
          isMono
          onInput={setSecret}
          hint={
            way === 'key'
              ? '32 bytes in hex. Kept by the snap, encrypted by MetaMask.'
              : 'The file is opened on this page and not sent anywhere.'
          }
        />
        <div class="actions">
          <Button
            type="submit"
            kind="primary"
            isBusy={action.isBusy}
            isDisabled={status?.state !== 'ready'}
          >
            Import the account
          </Button>
        </div>
      </form>
      <Output outcome={action.outcome} label="Answer of the import" />
    </Card>
  );
}

async function open(input: HTMLInputElement | null, password: string): Promise<string> {
  const chosen = input?.files?.[0];
  if (!chosen) throw new Error('Choose the keystore file first.');
  const key = await decryptKeystore(await chosen.text(), password);
  input.value = '';
  return key;
}
