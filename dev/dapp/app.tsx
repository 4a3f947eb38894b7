/** @jsxImportSource preact */
// The development page: from an empty browser to every request in a few steps.
import type { KeyringAccount } from '@metamask/keyring-api';
import { render, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import {
  createProvider,
  type Provider,
  type Status,
} from '../../packages/provider/src';
import { toRoundedCoins, toShownChain } from '../../src/ui/format';
import { useAction } from './action';
import { Button, Choice, Output, Step, StepNumber } from './components';
import { Requests } from './requests';
import {
  loadConfig,
  nameAccount,
  nameType,
  translate,
  useSession,
  type PageConfig,
  type Session,
} from './session';

type StepProps = { session: Session };

function App(props: { config: PageConfig; provider: Provider }): JSX.Element {
  const session = useSession(props.config, props.provider);
  const { status, problem, config } = session;
  const steps = [
    Install,
    ...(config.service ? [Network] : []),
    Create,
    Connect,
    ...(config.chainUrl === undefined ? [] : [Fund]),
    Try,
  ];
  return (
    <>
      <Head session={session} />
      <main data-state={status?.state}>
        {problem !== undefined && <p role="alert">{problem}</p>}
        {/* MetaMask sends its user here with a request that waits for approval. */}
        {new URLSearchParams(window.location.search).has('request') && (
          <p role="alert">
            {translate('redirect.message')} {translate('welcome.page.where')}
          </p>
        )}
        {status ? (
          <ol class="steps">
            {steps.map((View, index) => (
              <StepNumber.Provider key={View.name} value={index + 1}>
                <View session={session} />
              </StepNumber.Provider>
            ))}
          </ol>
        ) : (
          problem === undefined && <p class="hint">Looking for MetaMask …</p>
        )}
      </main>
    </>
  );
}

/** What each state means and what to do about it. */
const states: Record<
  Status['state'],
  { pill: string; text: (found: string, wanted: string) => string; verb?: string }
> = {
  'no-metamask': {
    pill: 'No MetaMask',
    text: () =>
      'There is no MetaMask in this browser. Install MetaMask Flask in a browser profile of its own, then reload this page.',
  },
  'no-flask': {
    pill: 'No Flask',
    text: () =>
      'This MetaMask does not run snaps that hold keys. Turn it off or use another browser profile, and install MetaMask Flask there.',
  },
  'not-installed': {
    pill: 'Not installed',
    text: () => 'MetaMask shows the permissions of the snap before it installs it.',
    verb: 'Install',
  },
  outdated: {
    pill: 'Outdated',
    text: (found, wanted) =>
      `Version ${found} is installed. This page needs ${wanted}. Your accounts are kept.`,
    verb: 'Update',
  },
  disabled: {
    pill: 'Disabled',
    text: () =>
      'The snap is disabled. Enable it in MetaMask (Menu, Snaps, Tollkeeper), then reload this page.',
  },
  ready: {
    pill: 'Ready',
    text: (found) =>
      `Version ${found} is installed. Install it again after each build.`,
    verb: 'Install again',
  },
};

function Head({ session }: StepProps): JSX.Element {
  const { status, isReady, chainId } = session;
  const version = status && 'version' in status ? ` ${status.version}` : '';
  return (
    <header class="head">
      <img src="icon.svg" alt="" width="36" height="36" />
      <h1>Tollkeeper</h1>
      <p role="status" class={isReady ? 'pill good' : 'pill'}>
        {status ? states[status.state].pill : '…'}
        {version}
      </p>
      <p class="network">
        {chainId === undefined
          ? 'No network'
          : toShownChain(`eip155:${Number(chainId)}`)}
      </p>
    </header>
  );
}

const FLASK = 'https://docs.metamask.io/snaps/get-started/install-flask/';

function Install({ session }: StepProps): JSX.Element {
  const { config, provider, status, isReady, refresh } = session;
  const { snapId, version } = config;
  const { state = 'no-metamask' } = status ?? {};
  const { text, verb } = states[state];
  const found = status && 'version' in status ? status.version : '';
  const action = useAction(async () => {
    // The provider does not install a snap again that is ready.
    const params = { [snapId]: { version } };
    await (isReady
      ? provider.request({ method: 'wallet_requestSnaps', params })
      : provider.install());
    await refresh();
    return 'MetaMask has installed the snap.';
  });
  return (
    <Step title="Install Tollkeeper" lead={text(found, version)} isDone={isReady}>
      <div class="actions">
        {verb && (
          <Button isMain={!isReady} isBusy={action.isBusy} onClick={action.run}>
            {verb}
          </Button>
        )}
        {state.startsWith('no-') && (
          <a class="button" href={FLASK} rel="noreferrer">
            Get MetaMask Flask
          </a>
        )}
        <code>{snapId}</code>
      </div>
      <Output outcome={action.outcome} label="Answer of the installation" />
    </Step>
  );
}

function Network({ session }: StepProps): JSX.Element {
  const { config, provider, isReady, refresh, chains } = session;
  const { chainId = 1, chainUrl, service, bundlerUrl, paymasterUrl } = config;
  const caip2 = `eip155:${chainId}`;
  const chain = toShownChain(caip2);
  const servers = {
    rpcUrl: service?.url,
    wsUrl: service?.wsUrl,
    gasBaseUrl: service?.url,
    bundlerUrl,
    paymasterUrl,
  };
  const { apiKey, apiKeySecret } = service ?? {};
  const action = useAction(async (method: string, params: object, answer: string) => {
    await provider.request({ method, params: [params] });
    await refresh();
    return answer;
  });
  const add = async (): Promise<void> =>
    action.run(
      'wallet_addEthereumChain',
      {
        chainId: `0x${chainId.toString(16)}`,
        chainName: 'Tollkeeper development',
        rpcUrls: [chainUrl],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      },
      'MetaMask has added the network.',
    );
  const save = async (): Promise<void> => {
    const set = { chainId, ...servers, apiKey, apiKeySecret };
    const answer = translate('settings.savedChain', { chain });
    const params = JSON.parse(JSON.stringify(set)) as object;
    return action.run('tollkeeper_setChain', params, answer);
  };
  return (
    <Step
      title={`Use the network ${chain}`}
      lead={`Add it to MetaMask, then save its servers in Tollkeeper. ${translate('chain.meaning')}`}
      isDone={chains.includes(caip2) && Number(session.chainId) === chainId}
    >
      <dl class="facts">
        {Object.entries(servers).map(
          ([name, url]) =>
            url !== undefined && [
              <dt key={name}>{translate(`chain.${name as keyof typeof servers}`)}</dt>,
              <dd>{url}</dd>,
            ],
        )}
      </dl>
      <div class="actions">
        {chainUrl !== undefined && (
          <Button isDisabled={!isReady} isBusy={action.isBusy} onClick={add}>
            Add to MetaMask
          </Button>
        )}
        <Button isMain isDisabled={!isReady} isBusy={action.isBusy} onClick={save}>
          {translate('chain.save')}
        </Button>
      </div>
      <Output outcome={action.outcome} label="Answer about the network" />
    </Step>
  );
}

const kinds = [
  ['eoa', translate('accounts.eoa')],
  ['smart', translate('accounts.smartNewest')],
  ['safe', translate('accounts.safe')],
  ...['0.9', '0.8', '0.7', '0.6'].map(
    (version) => [version, translate('accounts.smart', { version })] as const,
  ),
] as const;

function Create({ session }: StepProps): JSX.Element {
  const { config, provider, isReady, refresh, accounts, chainId } = session;
  const [kind, choose] = useState('eoa');
  const action = useAction(async () => {
    const smart = {
      type: 'eip155:erc4337',
      scopes: [`eip155:${config.chainId ?? Number(chainId)}`],
      ...(kind === 'safe' && { implementation: kind }),
      ...(kind.startsWith('0.') && { entryPoint: kind }),
    };
    const options = kind === 'eoa' ? { type: 'eip155:eoa' } : smart;
    const { address, options: made } = await provider.request<KeyringAccount>({
      method: 'keyring_createAccount',
      params: { options },
    });
    await refresh();
    const listed = made.unlisted === true ? ` ${translate('unlisted.state')}.` : '';
    return `${translate('create.done', { address })}${listed}`;
  });
  return (
    <Step
      title={translate('accounts.create')}
      lead={translate('create.meaning')}
      isDone={accounts.length > 0}
    >
      <Choice
        label={translate('accounts.type')}
        value={kind}
        options={kinds}
        onChange={choose}
      />
      <div class="actions">
        <Button
          isMain
          isDisabled={!isReady}
          isBusy={action.isBusy}
          onClick={action.run}
        >
          {translate('create.go')}
        </Button>
      </div>
      <Output outcome={action.outcome} label="Answer of the creation" />
    </Step>
  );
}

function Connect({ session }: StepProps): JSX.Element {
  const { provider, isReady, refresh, connected } = session;
  const isConnected = connected.length > 0;
  const action = useAction(async () => {
    // A connected site asks for permission to choose anew.
    await provider.request(
      isConnected
        ? { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }
        : { method: 'eth_requestAccounts' },
    );
    await refresh();
    return 'The page is connected.';
  });
  return (
    <Step
      title={translate('connect.title')}
      lead={translate('connect.choose')}
      isDone={isConnected}
    >
      <ul class="rows">
        {connected.map((account) => (
          <li key={account.id}>{nameAccount(account)}</li>
        ))}
      </ul>
      <div class="actions">
        <Button
          isMain={!isConnected}
          isDisabled={!isReady}
          isBusy={action.isBusy}
          onClick={action.run}
        >
          {translate('action.connect')}
        </Button>
      </div>
      <Output outcome={action.outcome} label="Answer of the connection" />
    </Step>
  );
}

const GIFT = 10n ** 19n;

function Fund({ session }: StepProps): JSX.Element {
  const { accounts, config } = session;
  const { chainUrl = '' } = config;
  const chain = `eip155:${config.chainId}`;
  const toCoins = (wei: bigint): string => toRoundedCoins(wei, translate, chain);
  const [balances, setBalances] = useState<Record<string, bigint>>({});
  const load = async (): Promise<void> => {
    const entries = accounts.map(async ({ address }) => {
      const wei = await askNode(chainUrl, 'eth_getBalance', [address, 'latest']);
      return [address, BigInt(String(wei))] as const;
    });
    setBalances(Object.fromEntries(await Promise.all(entries)));
  };
  useEffect(() => {
    // Balances that are not known are not shown.
    load().catch(() => undefined);
  }, [accounts]);
  const action = useAction(async (address: string) => {
    await askNode(chainUrl, 'anvil_setBalance', [address, `0x${GIFT.toString(16)}`]);
    await load();
    return `The account ${address} has ${toCoins(GIFT)}.`;
  });
  return (
    <Step
      title="Fund the account"
      lead="The development chain sets the balance of any account, without a confirmation."
      isDone={Object.values(balances).some((wei) => wei > 0n)}
    >
      {accounts.length === 0 && <p class="hint">{translate('accounts.none')}</p>}
      <ul class="rows">
        {accounts.map(({ id, address, ...account }) => (
          <li key={id}>
            <span>
              {nameType(account)}
              <br />
              <code>{address}</code>
            </span>
            <span>
              {translate('accounts.balance')}:{' '}
              {balances[address] === undefined ? '…' : toCoins(balances[address])}
            </span>
            <Button
              isBusy={action.isBusy}
              label={`Give 10 ETH to ${address}`}
              onClick={() => action.run(address)}
            >
              Give 10 ETH
            </Button>
          </li>
        ))}
      </ul>
      <Output outcome={action.outcome} label="Answer of the development chain" />
    </Step>
  );
}

async function askNode(url: string, method: string, params: unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }).catch(() => {
    throw new Error(
      `The development chain at ${url} does not answer. Is npm start running?`,
    );
  });
  const { result, error } = (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}

function Try({ session }: StepProps): JSX.Element {
  return (
    <Step
      title="Try each request"
      lead="Every method that a site can call, with params for the account. Answers are filled in where later requests need them."
    >
      {session.isReady && <Requests session={session} />}
    </Step>
  );
}

const root = document.querySelector('#page');
const config = await loadConfig();
if (root) {
  const { snapId, version } = config;
  render(<App config={config} provider={createProvider({ snapId, version })} />, root);
}
