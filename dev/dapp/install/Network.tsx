/** @jsxImportSource preact */
// Which servers the snap uses on a network. Secrets go in and are never shown again.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Button, Card, Output, TextField, useAction } from '../components';
import type { PageConfig } from '../config';
import { useSession } from '../session';

type Row = Record<
  | 'chainId'
  | 'rpcUrl'
  | 'wsUrl'
  | 'gasBaseUrl'
  | 'apiKey'
  | 'apiKeySecret'
  | 'bundlerUrl'
  | 'paymasterUrl',
  string
>;

type Name = keyof Row;

const fields: readonly { name: Name; label: string; isSecret?: true }[] = [
  { name: 'chainId', label: 'Chain id' },
  { name: 'rpcUrl', label: 'JSON-RPC' },
  { name: 'wsUrl', label: 'WebSocket' },
  { name: 'gasBaseUrl', label: 'Gas API' },
  { name: 'apiKey', label: 'API key', isSecret: true },
  { name: 'apiKeySecret', label: 'API key secret', isSecret: true },
  { name: 'bundlerUrl', label: 'Bundler' },
  { name: 'paymasterUrl', label: 'Paymaster' },
];

/** Draw the form of a network's servers. */
export function Network(): JSX.Element {
  const { config, provider, refresh, status } = useSession();
  const [row, setRow] = useState(() => prefill(config));
  const action = useAction('The snap asks each server …');
  const save = async (): Promise<string> => {
    const params = [withoutEmpty(row)];
    await provider.request({ method: 'tollkeeper_setChain', params });
    setRow((before) => ({ ...before, apiKey: '', apiKeySecret: '' }));
    await refresh();
    return `The snap uses these servers on chain ${row.chainId}.`;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void action.run(save);
  };
  return (
    <Card title="Servers of a network">
      <p class="soft small">
        Each is asked before it is saved. What is left empty keeps what was set; without
        any the snap uses MetaMask’s own node.
      </p>
      <form class="form" onSubmit={submit}>
        <div class="fields">
          {fields.map(({ name, label, isSecret }) => (
            <TextField
              key={name}
              label={label}
              type={isSecret ? 'password' : 'text'}
              autocomplete={isSecret ? 'new-password' : 'off'}
              placeholder={isSecret ? 'kept' : ''}
              value={row[name]}
              isMono
              onInput={(value) => setRow((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </div>
        <div class="actions">
          <Button
            type="submit"
            kind="primary"
            isBusy={action.isBusy}
            isDisabled={status?.state !== 'ready'}
          >
            Save the servers
          </Button>
          {config.chainUrl !== undefined && <AddToMetaMask />}
        </div>
      </form>
      <Output outcome={action.outcome} label="Answer about the servers" />
    </Card>
  );
}

function AddToMetaMask(): JSX.Element {
  const { config, provider, refresh } = useSession();
  const action = useAction();
  const chainId = `0x${Number(config.chainId).toString(16)}`;
  const add = async (): Promise<string> => {
    const network = {
      chainId,
      chainName: 'Tollkeeper development',
      rpcUrls: [config.chainUrl],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    };
    await provider.request({ method: 'wallet_addEthereumChain', params: [network] });
    await refresh();
    return 'MetaMask has it.';
  };
  return (
    <>
      <Button isBusy={action.isBusy} onClick={() => void action.run(add)}>
        Add to MetaMask
      </Button>
      {action.outcome.state !== 'idle' && (
        <Output outcome={action.outcome} label="Answer about the network" />
      )}
    </>
  );
}

function prefill({
  chainId,
  service,
  bundlerUrl = '',
  paymasterUrl = '',
}: PageConfig): Row {
  return {
    chainId: String(chainId ?? ''),
    rpcUrl: service?.url ?? '',
    wsUrl: service?.wsUrl ?? '',
    gasBaseUrl: service?.url ?? '',
    apiKey: service?.apiKey ?? '',
    apiKeySecret: service?.apiKeySecret ?? '',
    bundlerUrl,
    paymasterUrl,
  };
}

function withoutEmpty(row: Row): Partial<Row> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value.trim() !== ''),
  );
}
