/** @jsxImportSource preact */
// The development page, which leads from a browser without MetaMask to every kind of request.
import type { KeyringAccount } from '@metamask/keyring-api';
import { render, type JSX } from 'preact';
import { useState } from 'preact/hooks';

import {
  createProvider,
  type Provider,
  type Status,
} from '../../packages/provider/src';
import { entryPointVersions } from '../../src/core/entry-points';
import { Button, Output, Step, useAction } from './parts';
import { Requests } from './requests';
import { loadConfig, useSession, type PageConfig, type Session } from './session';

type StepProps = { session: Session };

function App(props: { config: PageConfig; provider: Provider }): JSX.Element {
  const session = useSession(props.config, props.provider);
  const { status, problem, config, chainId } = session;
  return (
    <main data-state={status?.state}>
      <h1>Tollkeeper</h1>
      <p>{chainId === undefined ? 'No network' : `Network ${Number(chainId)}`}</p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {/* MetaMask sends the user here when a request waits for approval. */}
      {new URLSearchParams(window.location.search).has('request') && (
        <p role="alert">
          MetaMask waits for your decision: approve or reject the request on
          Tollkeeper&apos;s page in MetaMask.
        </p>
      )}
      {status && (
        <ol>
          <Install session={session} />
          <Create session={session} />
          <Connect session={session} />
          {config.chainUrl !== undefined && <Fund session={session} />}
          <Requests session={session} />
        </ol>
      )}
    </main>
  );
}

const states: Record<Status['state'], { text: string; verb?: string }> = {
  'no-metamask': {
    text: 'There is no MetaMask in this browser. Install MetaMask Flask in a separate browser profile, then reload this page.',
  },
  'no-flask': {
    text: 'This MetaMask does not run snaps that hold keys. Turn it off or use another browser profile, and install MetaMask Flask there.',
  },
  'not-installed': {
    text: 'MetaMask shows the permissions of the snap before it installs it.',
    verb: 'Install',
  },
  outdated: {
    text: 'The installed version does not match this page. Your accounts are kept.',
    verb: 'Update',
  },
  disabled: {
    text: 'The snap is disabled. Enable it in MetaMask (Menu, Snaps, Tollkeeper), then reload this page.',
  },
  ready: {
    text: 'The snap is installed. Install it again after each build.',
    verb: 'Install again',
  },
};

const FLASK = 'https://docs.metamask.io/snaps/get-started/install-flask/';

function Install({ session }: StepProps): JSX.Element {
  const { config, provider, status, isReady, refresh } = session;
  const { snapId, version } = config;
  const { state = 'no-metamask' } = status ?? {};
  const { text, verb } = states[state];
  const action = useAction(async () => {
    // The provider does not reinstall a snap that is ready, so the page asks MetaMask directly.
    const params = { [snapId]: { version } };
    await (isReady
      ? provider.request({ method: 'wallet_requestSnaps', params })
      : provider.install());
    await refresh();
    return 'MetaMask has installed the snap.';
  });
  return (
    <Step title="Install Tollkeeper" lead={text}>
      <p>
        <code>
          {snapId} {version}
        </code>
      </p>
      {verb && <Button onClick={action.run}>{verb}</Button>}
      {state.startsWith('no-') && <a href={FLASK}>Get MetaMask Flask</a>}
      <Output outcome={action.outcome} label="Answer of the installation" />
    </Step>
  );
}

const kinds = Object.entries({
  eoa: 'Standard account',
  smart: 'Smart account, newest EntryPoint',
  safe: 'Safe',
  ...Object.fromEntries(
    entryPointVersions.map((version) => [
      version,
      `Smart account, EntryPoint ${version}`,
    ]),
  ),
});

function Create({ session }: StepProps): JSX.Element {
  const { config, provider, isReady, refresh, chainId } = session;
  const [kind, choose] = useState('eoa');
  const action = useAction(async () => {
    const smart = {
      type: 'eip155:erc4337',
      scopes: [`eip155:${config.chainId ?? Number(chainId)}`],
      ...(kind === 'safe' && { implementation: kind }),
      ...(kind.startsWith('0.') && { entryPoint: kind }),
    };
    const { address, options } = await provider.request<KeyringAccount>({
      method: 'keyring_createAccount',
      params: { options: kind === 'eoa' ? { type: 'eip155:eoa' } : smart },
    });
    await refresh();
    const listed = options.unlisted === true ? " Not in MetaMask's list." : '';
    return `Account ${address} was created.${listed}`;
  });
  return (
    <Step title="Create an account" lead="Its key is derived from MetaMask's seed.">
      <label>
        Type
        <select
          value={kind}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {kinds.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <Button isDisabled={!isReady} onClick={action.run}>
        Create
      </Button>
      <Output outcome={action.outcome} label="Answer of the creation" />
    </Step>
  );
}

function Connect({ session }: StepProps): JSX.Element {
  const { provider, isReady, refresh, connected } = session;
  const action = useAction(async () => {
    // `eth_requestAccounts` would not ask a connected page again.
    await provider.request(
      connected.length > 0
        ? { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }
        : { method: 'eth_requestAccounts' },
    );
    await refresh();
    return 'The page is connected.';
  });
  return (
    <Step
      title="Connect accounts"
      lead="Tollkeeper asks which accounts the page may see."
    >
      <ul aria-label="Connected accounts">
        {connected.map(({ id, address }) => (
          <li key={id}>
            <code>{address}</code>
          </li>
        ))}
      </ul>
      <Button isDisabled={!isReady} onClick={action.run}>
        Connect
      </Button>
      <Output outcome={action.outcome} label="Answer of the connection" />
    </Step>
  );
}

function Fund({ session }: StepProps): JSX.Element {
  const { accounts, config } = session;
  const action = useAction(async (address: string) => {
    await setBalance(config.chainUrl ?? '', address);
    return `The account ${address} has 10 ETH.`;
  });
  return (
    <Step
      title="Fund the account"
      lead="The development chain sets the balance of any account, without a confirmation."
    >
      <ul>
        {accounts.map(({ id, address }) => (
          <li key={id}>
            <Button
              label={`Give 10 ETH to ${address}`}
              onClick={() => action.run(address)}
            >
              Give 10 ETH
            </Button>
            <code>{address}</code>
          </li>
        ))}
      </ul>
      <Output outcome={action.outcome} label="Answer of the development chain" />
    </Step>
  );
}

async function setBalance(url: string, address: string): Promise<void> {
  const params = [address, `0x${(10n ** 19n).toString(16)}`];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params }),
  }).catch(() => {
    throw new Error(
      `The development chain at ${url} does not answer. Is npm start running?`,
    );
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  if (error) throw new Error(error.message);
}

const root = document.querySelector('#page');
const config = await loadConfig();
if (root) {
  const { snapId, version } = config;
  render(<App config={config} provider={createProvider({ snapId, version })} />, root);
}
