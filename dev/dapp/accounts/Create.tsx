/** @jsxImportSource preact */
// A new account, derived from the wallet's entropy.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Button, Card, Output, SelectField, TextField, useAction } from '../components';
import { useSession } from '../session';
import { useCreate } from './use-create';

const kinds = [
  { value: 'eoa', label: 'Ordinary account' },
  { value: 'smart', label: 'Smart account, newest EntryPoint of the network' },
  { value: '0.8', label: 'Smart account, EntryPoint 0.8' },
  { value: '0.7', label: 'Smart account, EntryPoint 0.7' },
  { value: '0.6', label: 'Smart account, EntryPoint 0.6' },
];

/** Draw the form. */
export function Create(): JSX.Element {
  const { config, status } = useSession();
  const [kind, setKind] = useState('eoa');
  const [index, setIndex] = useState('');
  const action = useAction();
  const create = useCreate();
  const isWrong = index !== '' && !/^\d{1,9}$/u.test(index);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isWrong) return;
    const number = index === '' ? {} : { index: Number(index) };
    const scopes =
      config.chainId === undefined ? {} : { scopes: [`eip155:${config.chainId}`] };
    const entryPoint = kind === 'smart' ? {} : { entryPoint: kind };
    const options =
      kind === 'eoa'
        ? { type: 'eip155:eoa', ...number }
        : { type: 'eip155:erc4337', ...entryPoint, ...scopes, ...number };
    void action.run(() => create(options));
  };
  return (
    <Card title="Create">
      <form class="form" onSubmit={submit}>
        <SelectField label="Kind" value={kind} options={kinds} onInput={setKind} />
        <TextField
          label="Number"
          value={index}
          onInput={setIndex}
          placeholder="the next free one"
          hint="A number that exists announces its account to MetaMask again."
          error={isWrong ? 'A number is written in digits: 0, 1, 2 …' : undefined}
        />
        <div class="actions">
          <Button
            type="submit"
            kind="primary"
            isBusy={action.isBusy}
            isDisabled={status?.state !== 'ready'}
          >
            Create the account
          </Button>
        </div>
      </form>
      <Output outcome={action.outcome} label="Answer of the creation" />
    </Card>
  );
}
