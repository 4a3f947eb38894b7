/** @jsxImportSource preact */
// Section “Install”: the state of the installation, what to do next, the servers of a network.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { Status } from '../../src/provider';
import { useAction, type Action } from './action';
import { Button, Card, Facts, FormCard, Output, Section } from './components';
import { nameChain } from './format';
import { useSession, type PageConfig, type Session } from './session';

/** Where MetaMask Flask is found: a link for people, never fetched. */
const FLASK = 'https://docs.metamask.io/snaps/get-started/install-flask/';

export function Install(): JSX.Element {
  return (
    <Section
      id="install"
      title="Install"
      lead="Tollkeeper is a snap: it runs inside MetaMask Flask. Four steps, and all of this page works."
    >
      <Steps />
      <Snap />
      <Network />
    </Section>
  );
}

// The way from nothing to a signature, and how far the user has come.
function Steps(): JSX.Element {
  const { status, accounts, granted, isReady } = useSession();
  const state = status?.state ?? 'no-metamask';
  const steps = [
    ['MetaMask Flask', !['no-metamask', 'no-flask'].includes(state)],
    ['The snap', isReady],
    ['An account', accounts.length > 0],
    ['Connected', granted.length > 0],
  ] as const;
  const next = steps.findIndex(([, isDone]) => !isDone);
  return (
    <ol class="steps">
      {steps.map(([name, isDone], index) => (
        <li
          key={name}
          class={isDone ? 'done' : 'open'}
          aria-current={status && index === next ? 'step' : undefined}
        >
          <span class="step-mark" aria-hidden="true">
            {isDone ? '✓' : index + 1}
          </span>
          {name}
          <span class="hidden">{isDone ? ': done' : ': to do'}</span>
        </li>
      ))}
    </ol>
  );
}

function Snap(): JSX.Element {
  const session = useSession();
  const { status, config, chainId, granted, isReady, refresh } = session;
  const action = useAction();
  const text = describeState(session);
  const press = (): void =>
    void action.run(async () => {
      if (text.isInstall) await install(session);
      await refresh();
      return text.isInstall ? 'MetaMask has installed it.' : 'Looked again.';
    });
  return (
    <Card title={text.title}>
      <div class="install">
        <div>
          <p class="install-next">{text.next}</p>
          <div class="actions">
            <Button
              kind={isReady ? 'plain' : 'primary'}
              isBusy={action.isBusy}
              onClick={press}
            >
              {text.verb}
            </Button>
            {text.needsFlask && (
              <a class="button" href={FLASK} rel="noreferrer">
                Get MetaMask Flask
              </a>
            )}
          </div>
        </div>
        <Facts
          facts={[
            ['Snap', config.snapId, 'mono'],
            ['Installed', status && 'version' in status ? status.version : 'not yet'],
            ['Needed here', config.version.replace(/^\^(.*)$/u, '$1 or later')],
            ['Network', chainId === undefined ? 'not known yet' : nameChain(chainId)],
            [
              'Connected',
              granted.length === 1 ? '1 account' : `${granted.length} accounts`,
            ],
          ]}
        />
      </div>
      <Output outcome={action.outcome} label="Answer of the installation" />
    </Card>
  );
}

// A snap that is ready is requested explicitly: the provider would not install it again.
async function install({ provider, config, isReady }: Session): Promise<void> {
  const { snapId, version } = config;
  if (!isReady) await provider.install();
  else {
    const params = { [snapId]: { version } };
    await provider.request({ method: 'wallet_requestSnaps', params });
  }
}

type StateText = {
  title: string;
  next: string;
  verb: string;
  /** Whether the button has MetaMask install the snap; otherwise it looks again. */
  isInstall?: true;
  /** Whether the user needs a MetaMask that they may not have. */
  needsFlask?: true;
};

function describeState({ status, problem, config }: Session): StateText {
  if (status) {
    const found = 'version' in status ? status.version : '';
    return stateTexts[status.state](found, config.version.replace(/^\^/u, ''));
  }
  return {
    title: problem ? 'MetaMask does not tell' : 'Looking for MetaMask …',
    next: problem?.message ?? 'This takes half a second at most.',
    verb: 'Look again',
  };
}

const stateTexts: Record<
  Status['state'],
  (version: string, wanted: string) => StateText
> = {
  'no-metamask': () => ({
    title: 'No MetaMask in this browser',
    next: 'Install MetaMask Flask in a browser profile of its own, then come back.',
    verb: 'Look again',
    needsFlask: true,
  }),
  'no-flask': () => ({
    title: 'This MetaMask takes no snaps of this kind',
    next:
      'Snaps that hold keys run in MetaMask Flask alone. Turn this MetaMask off, or use ' +
      'another browser profile, and install Flask there.',
    verb: 'Look again',
    needsFlask: true,
  }),
  'not-installed': () => ({
    title: 'The snap is not installed',
    next: 'MetaMask shows what the snap may do and asks you, before anything is installed.',
    verb: 'Install',
    isInstall: true,
  }),
  outdated: (version, wanted) => ({
    title: `Version ${version} is outdated`,
    next: `This page needs version ${wanted} or a later one that fits it. Your accounts stay.`,
    verb: 'Update',
    isInstall: true,
  }),
  disabled: () => ({
    title: 'The snap is turned off',
    next: 'Turn it on in MetaMask: Menu, Snaps, Tollkeeper. Then look again.',
    verb: 'Look again',
  }),
  ready: (version) => ({
    title: `Version ${version} is ready`,
    next: 'Nothing to do. While the snap is developed, install it again after each build.',
    verb: 'Install again',
    isInstall: true,
  }),
};

const text = { isMono: true } as const;
// Secrets are typed in and never shown again.
const secret = { type: 'password', placeholder: 'kept', isMono: true } as const;

const serverFields = [
  { name: 'chainId', label: 'Chain id', ...text },
  { name: 'rpcUrl', label: 'JSON-RPC', ...text },
  { name: 'wsUrl', label: 'WebSocket', ...text },
  { name: 'gasBaseUrl', label: 'Gas API', ...text },
  { name: 'apiKey', label: 'API key', ...secret },
  { name: 'apiKeySecret', label: 'API key secret', ...secret },
  { name: 'bundlerUrl', label: 'Bundler', ...text },
  { name: 'paymasterUrl', label: 'Paymaster', ...text },
] as const;

function Network(): JSX.Element {
  const { config, provider, refresh, isReady } = useSession();
  const [values, setValues] = useState(() => fromConfig(config));
  const action = useAction('The snap asks each server …');
  const save = async (): Promise<string> => {
    const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
    const params = [Object.fromEntries(filled)];
    await provider.request({ method: 'tollkeeper_setChain', params });
    setValues((before) => ({ ...before, apiKey: '', apiKeySecret: '' }));
    await refresh();
    return `The snap uses these servers on chain ${values.chainId}.`;
  };
  return (
    <FormCard
      title="Servers of a network"
      lead="Each is asked before it is saved. What is left empty keeps what was set; without any the snap uses MetaMask’s own node."
      fields={serverFields}
      values={values}
      onChange={setValues}
      isWide
      verb="Save the servers"
      isDisabled={!isReady}
      action={action}
      submit={save}
      answer="Answer about the servers"
      buttons={config.chainUrl !== undefined && <AddToMetaMask action={action} />}
    />
  );
}

function fromConfig(
  config: PageConfig,
): Record<(typeof serverFields)[number]['name'], string> {
  const { chainId, service, bundlerUrl = '', paymasterUrl = '' } = config;
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

function AddToMetaMask({ action }: { action: Action }): JSX.Element {
  const { config, provider, refresh } = useSession();
  const add = async (): Promise<string> => {
    const network = {
      chainId: `0x${Number(config.chainId).toString(16)}`,
      chainName: 'Tollkeeper development',
      rpcUrls: [config.chainUrl],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    };
    await provider.request({ method: 'wallet_addEthereumChain', params: [network] });
    await refresh();
    return 'MetaMask has it.';
  };
  return (
    <Button isBusy={action.isBusy} onClick={() => void action.run(add)}>
      Add to MetaMask
    </Button>
  );
}
