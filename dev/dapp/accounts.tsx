/** @jsxImportSource preact */
// Section “Accounts”: the list, creating, importing and restoring accounts, and which sites
// may use them.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { decryptKeystore } from '../../src/eth/keystore';
import { type Action, useAction } from './action';
import {
  Button,
  Card,
  Code,
  CopyButton,
  Dialog,
  Empty,
  Facts,
  Field,
  Form,
  FormCard,
  Output,
  Section,
} from './components';
import { nameChain, shorten, toEther } from './format';
import { type Session, useList, useSession } from './session';

export function Accounts(): JSX.Element {
  return (
    <Section
      id="accounts"
      title="Accounts"
      lead="Keys come from your wallet’s own entropy, or from an import. MetaMask asks you about each change."
    >
      <AccountList />
      <div class="cards">
        <Create />
        <Import />
        <Restore />
        <Grants />
      </div>
    </Section>
  );
}

/** Ten ether of the development chain. */
const GIFT = '0x8ac7230489e80000';

function AccountList(): JSX.Element {
  const session = useSession();
  const { accounts, isReady, config, provider, refresh, granted, usable } = session;
  const factsOf = useChainFacts();
  const action = useAction();
  const [question, ask] = useState<{ kind: 'delete' | 'export'; of: KeyringAccount }>();
  const fund = async ({ address }: KeyringAccount): Promise<string> => {
    await askNode(String(config.chainUrl), 'anvil_setBalance', [address, GIFT]);
    await refresh();
    return `${shorten(address)} has 10 ETH of the development chain.`;
  };
  // EIP-7702: the snap shows to which contract, and what that may do.
  const delegate = async (
    { id, address }: KeyringAccount,
    isDelegated: boolean,
  ): Promise<string> => {
    const { hash } = await provider.request<{ hash: string }>({
      method: isDelegated ? 'tollkeeper_revokeDelegation' : 'tollkeeper_delegate',
      params: [{ account: id, chainId: String(session.chainId) }],
    });
    await refresh();
    const done = isDelegated
      ? 'The delegation is revoked'
      : `${shorten(address)} delegates`;
    return `${done} once transaction ${hash} is included.`;
  };
  const connect = async (): Promise<string> => {
    // The first connection asks the user; choosing other accounts always does.
    await provider.request(
      granted.length === 0
        ? { method: 'eth_requestAccounts' }
        : { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] },
    );
    await refresh();
    return 'This page is connected.';
  };
  const count = accounts.length === 0 ? '' : ` (${accounts.length})`;
  return (
    <Card
      title={`Your accounts${count}`}
      aside={
        <Button
          isBusy={action.isBusy}
          isDisabled={accounts.length === 0}
          onClick={() => void action.run(connect)}
        >
          {granted.length === 0 ? 'Connect this page' : 'Connect others'}
        </Button>
      }
    >
      {accounts.length === 0 && (
        <Empty>
          {isReady
            ? 'No account yet. Create one below, import one, or restore what you had.'
            : 'Install the snap, and your accounts are listed here.'}
        </Empty>
      )}
      <ul class="rows">
        {accounts.map((account) => (
          <AccountRow
            key={account.id}
            account={account}
            facts={factsOf(account)}
            onFund={
              config.chainUrl ? () => void action.run(() => fund(account)) : undefined
            }
            onDelegate={
              usable.includes(account) && account.type !== 'eip155:erc4337'
                ? (isDelegated) => void action.run(() => delegate(account, isDelegated))
                : undefined
            }
            onExport={() => ask({ kind: 'export', of: account })}
            onDelete={() => ask({ kind: 'delete', of: account })}
          />
        ))}
      </ul>
      <Output outcome={action.outcome} label="Answer about the accounts" />
      <Export
        account={question?.kind === 'export' ? question.of : undefined}
        action={action}
        onClose={() => ask(undefined)}
      />
      <Delete
        account={question?.kind === 'delete' ? question.of : undefined}
        action={action}
        onClose={() => ask(undefined)}
      />
    </Card>
  );
}

function AccountRow(props: {
  account: KeyringAccount;
  facts: ChainFacts;
  onFund: (() => void) | undefined;
  onDelegate: ((isDelegated: boolean) => void) | undefined;
  onExport: () => void;
  onDelete: () => void;
}): JSX.Element {
  const { account, facts, onFund, onDelegate, onExport, onDelete } = props;
  const { selected, select } = useSession();
  const short = shorten(account.address);
  const isSelected = account.id === selected?.id;
  const choice = isSelected ? 'Chosen' : 'Choose';
  const actions = [
    [choice, choice, () => select(account.id)],
    ...(onFund ? ([['Give 10 ETH', 'Give 10 ETH to', onFund]] as const) : []),
    ...(onDelegate ? [toDelegation(facts, onDelegate)] : []),
    ['Export', 'Export', onExport],
    ['Delete', 'Delete', onDelete],
  ] as const;
  return (
    <li class={isSelected ? 'row selected' : 'row'}>
      <div class="row-main">
        <span class="kind">{describeType(account)}</span>
        <span class="mono wrap">{account.address}</span>
        <CopyButton text={account.address} label={`address ${short}`} />
      </div>
      <Facts
        class="row-facts"
        facts={[
          ['Balance', facts.balance, 'num'],
          ['Contract', facts.deployment],
          ...(isUnlisted(account)
            ? ([['MetaMask', 'Not in MetaMask’s list']] as const)
            : []),
        ]}
      />
      <div class="actions row-actions">
        {actions.map(([text, label, act]) => (
          <Button
            key={text}
            kind="quiet"
            label={`${label} ${short}`}
            isDisabled={text === 'Chosen'}
            onClick={act}
          >
            {text}
          </Button>
        ))}
      </div>
    </li>
  );
}

function toDelegation(
  { deployment }: ChainFacts,
  onDelegate: (isDelegated: boolean) => void,
): readonly [string, string, () => void] {
  const isDelegated = deployment.startsWith(DELEGATED);
  const text = isDelegated ? 'Revoke delegation' : 'Delegate';
  return [
    text,
    isDelegated ? 'Revoke the delegation of' : text,
    () => onDelegate(isDelegated),
  ];
}

function isUnlisted({ options }: KeyringAccount): boolean {
  return options.unlisted === true;
}

function describeType({ type, options }: KeyringAccount): string {
  const { type: entropy } = Object(options.entropy) as { type?: unknown };
  if (type !== 'eip155:erc4337') {
    return entropy === 'private-key' ? 'Imported' : 'Standard';
  }
  if (options.implementation === 'safe') return 'Safe';
  const { version } = Object(options.entryPoint) as { version?: unknown };
  const known = typeof version === 'string' ? version : options.entryPoint;
  return typeof known === 'string' && known.length < 6 ? `Smart ${known}` : 'Smart';
}

/** What the chain knows of an account. */
type ChainFacts = { balance: string; deployment: string };

// Asked again whenever the accounts change or something was done.
function useChainFacts(): (account: KeyringAccount) => ChainFacts {
  const session = useSession();
  const { accounts } = session;
  const [facts, setFacts] = useState<Record<string, ChainFacts>>({});
  useEffect(() => {
    let isCurrent = true;
    for (const account of accounts) {
      void Promise.all([
        fetchBalance(account.address, session).catch(() => 'unknown'),
        fetchDeployment(account, session).catch(() => 'unknown'),
      ]).then(([balance, deployment]) => {
        if (!isCurrent) return;
        setFacts((before) => ({ ...before, [account.id]: { balance, deployment } }));
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [accounts]);
  return ({ id }) => facts[id] ?? { balance: '–', deployment: '–' };
}

async function fetchBalance(address: string, session: Session): Promise<string> {
  return `${toEther(BigInt(await askChain(session, 'eth_getBalance', address)))} ETH`;
}

async function askChain(
  { config, provider }: Session,
  method: string,
  address: string,
): Promise<string> {
  const params = [address, 'latest'];
  return String(
    config.chainUrl
      ? await askNode(config.chainUrl, method, params)
      : await provider.request({ method, params }),
  );
}

// A development node, which is no wallet. Fails with the node's code and message.
async function askNode(
  url: string,
  method: string,
  params: unknown[],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}

const deployments: Record<string, string> = {
  deployed: 'deployed',
  absent: 'not yet deployed',
};

const DELEGATED = 'delegates to';

async function fetchDeployment(
  { id, type, address }: KeyringAccount,
  session: Session,
): Promise<string> {
  const { provider } = session;
  if (type !== 'eip155:erc4337') {
    const code = await askChain(session, 'eth_getCode', address);
    const [, delegate] = /^0xef0100([\da-f]{40})$/iu.exec(code) ?? [];
    return delegate === undefined
      ? 'needs none'
      : `${DELEGATED} ${shorten(`0x${delegate}`)}`;
  }
  const found = await provider.request<Record<string, string>>({
    method: 'tollkeeper_getDeployments',
    params: [{ account: id }],
  });
  return Object.entries(found)
    .map(
      ([chain, state]) => `${deployments[state] ?? 'unknown'} on ${nameChain(chain)}`,
    )
    .join(', ');
}

type QuestionProps = {
  account: KeyringAccount | undefined;
  action: Action;
  onClose: () => void;
};

function Delete({ account, action, onClose }: QuestionProps): JSX.Element {
  const { provider, refresh } = useSession();
  const remove = async (id: string): Promise<string> => {
    await provider.request({ method: 'keyring_deleteAccount', params: { id } });
    await refresh();
    return 'The account is deleted.';
  };
  return (
    <Dialog
      isOpen={account !== undefined}
      title="Delete this account?"
      verb="Delete"
      onConfirm={() => account && void action.run(() => remove(account.id))}
      onClose={onClose}
    >
      <p class="mono wrap">{account?.address}</p>
      <p>
        MetaMask forgets it, and so does the snap. A derived account can be made again
        by its number; of an imported one the key is gone, unless you have it elsewhere.
      </p>
    </Dialog>
  );
}

/** How long a private key is shown, in seconds. */
const SHOWN_S = 30;

// A key is shown after a question here and a dialog of the snap, and hidden again soon.
function Export({ account, action, onClose }: QuestionProps): JSX.Element {
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

// Creates an account with options of keyring_createAccount.
async function create(session: Session, options: object): Promise<string> {
  const { provider, refresh, select } = session;
  const request = { method: 'keyring_createAccount', params: { options } };
  const account = await provider.request<KeyringAccount>(request);
  await refresh();
  select(account.id);
  const holder = isUnlisted(account) ? 'Tollkeeper alone' : 'MetaMask';
  return `${holder} has the account ${shorten(account.address)}.`;
}

const kinds = [
  { value: 'eoa', label: 'Standard account' },
  { value: 'smart', label: 'Smart account, newest EntryPoint of the network' },
  { value: 'safe', label: 'Safe, a smart account that can sign messages' },
  { value: '0.9', label: 'Smart account, EntryPoint 0.9' },
  { value: '0.8', label: 'Smart account, EntryPoint 0.8' },
  { value: '0.7', label: 'Smart account, EntryPoint 0.7' },
  { value: '0.6', label: 'Smart account, EntryPoint 0.6' },
];

function Create(): JSX.Element {
  const session = useSession();
  const [values, setValues] = useState({ kind: 'eoa', index: '' });
  const action = useAction();
  const { kind, index } = values;
  const isWrong = index !== '' && !/^\d{1,9}$/u.test(index);
  const submit = async (): Promise<string> => {
    const number = index === '' ? {} : { index: Number(index) };
    const { chainId } = session.config;
    if (kind === 'eoa') return create(session, { type: 'eip155:eoa', ...number });
    return create(session, {
      type: 'eip155:erc4337',
      ...(kind === 'safe' ? { implementation: kind } : {}),
      ...(/^\d/u.test(kind) ? { entryPoint: kind } : {}),
      ...(chainId === undefined ? {} : { scopes: [`eip155:${chainId}`] }),
      ...number,
    });
  };
  return (
    <FormCard
      title="Create"
      fields={[
        { name: 'kind', label: 'Kind', options: kinds },
        {
          name: 'index',
          label: 'Number',
          placeholder: 'the next free one',
          hint: 'A number that exists announces its account to MetaMask again.',
          error: isWrong ? 'A number is written in digits: 0, 1, 2 …' : undefined,
        },
      ]}
      values={values}
      onChange={setValues}
      verb="Create the account"
      isDisabled={!session.isReady}
      action={action}
      submit={submit}
      answer="Answer of the creation"
    />
  );
}

const ways = [
  { value: 'key', label: 'Private key' },
  { value: 'file', label: 'Keystore file (version 3)' },
];

// A keystore file is decrypted here: only the key goes to the snap.
function Import(): JSX.Element {
  const session = useSession();
  const [way, setWay] = useState('key');
  const [secret, setSecret] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const action = useAction();
  const isKey = way === 'key';
  const submit = async (): Promise<string> => {
    const privateKey = isKey ? secret.trim() : await decrypt(file.current, secret);
    const answer = await create(session, { type: 'eip155:eoa', privateKey });
    setSecret('');
    return answer;
  };
  return (
    <Card title="Import">
      <Form
        verb="Import the account"
        isBusy={action.isBusy}
        isDisabled={!session.isReady}
        onSubmit={() => void action.run(submit)}
      >
        <Field
          field={{ name: 'way', label: 'From', options: ways }}
          value={way}
          onInput={(next) => {
            setWay(next);
            setSecret('');
          }}
        />
        {!isKey && (
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
        <Field
          field={{
            name: 'secret',
            label: isKey ? 'Private key' : 'Password of the file',
            type: 'password',
            isMono: true,
            hint: isKey
              ? '32 bytes in hex. Kept by the snap, encrypted by MetaMask.'
              : 'The file is opened on this page and not sent anywhere.',
          }}
          value={secret}
          onInput={setSecret}
        />
      </Form>
      <Output outcome={action.outcome} label="Answer of the import" />
    </Card>
  );
}

async function decrypt(
  input: HTMLInputElement | null,
  password: string,
): Promise<string> {
  const chosen = input?.files?.[0];
  if (!chosen) throw new Error('Choose the keystore file first.');
  const key = await decryptKeystore(await chosen.text(), password);
  input.value = '';
  return key;
}

const phases: Record<string, string> = {
  checking: 'Looking at what there is',
  searching: 'Searching for used accounts',
  announcing: 'MetaMask asks about each account',
};

function Restore(): JSX.Element {
  const { provider, refresh, isReady } = useSession();
  const [values, setValues] = useState({ gap: '20' });
  const action = useAction('Restoring …');
  const progress = useProgress(action.isBusy);
  const isWrong = !/^(?:[1-9]\d?|100)$/u.test(values.gap);
  const restore = async (): Promise<string> => {
    const request = {
      method: 'tollkeeper_restoreAccounts',
      params: [{ gap: Number(values.gap) }],
    };
    const restored = await provider.request<Restored>(request);
    await refresh();
    return describeRestored(restored);
  };
  const cancel = (): void =>
    void provider
      .request({ method: 'tollkeeper_cancelProgress' })
      .catch(() => undefined);
  return (
    <FormCard
      title="Restore"
      lead="After the snap was removed, or when MetaMask lacks accounts: derived ones come back with the same addresses and ids."
      fields={[
        {
          name: 'gap',
          label: 'Unused accounts in a row that end the search',
          error: isWrong ? 'A number from 1 to 100.' : undefined,
        },
      ]}
      values={values}
      onChange={setValues}
      verb="Restore the accounts"
      isDisabled={!isReady}
      action={action}
      submit={restore}
      answer="Answer of restoring"
      buttons={
        <Button isDisabled={!action.isBusy} onClick={cancel}>
          Stop
        </Button>
      }
    >
      <div class="progress">
        <progress
          aria-label="Progress of restoring"
          max={Math.max(progress?.total ?? 1, 1)}
          value={progress?.done ?? 0}
        />
        <span class="soft small">
          {progress
            ? `${phases[progress.phase]}: ${progress.done} of ${progress.total}`
            : ' '}
        </span>
      </div>
    </FormCard>
  );
}

type Progress = { phase: string; done: number; total: number };

const PROGRESS_INTERVAL_MS = 400;

function useProgress(isRunning: boolean): Progress | undefined {
  const { provider } = useSession();
  const [progress, setProgress] = useState<Progress>();
  useEffect(() => {
    if (!isRunning) return undefined;
    const look = async (): Promise<void> => {
      const found = await provider
        .request<Progress | null>({ method: 'tollkeeper_getProgress' })
        .catch(() => null);
      setProgress(found ?? undefined);
    };
    const timer = setInterval(() => void look(), PROGRESS_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      setProgress(undefined);
    };
  }, [isRunning, provider]);
  return progress;
}

const counted = [
  ['accounts', 'announced'],
  ['recovered', 'taken back'],
  ['unchanged', 'unchanged'],
  ['unchecked', 'not checked'],
  ['declined', 'declined'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
] as const;

type Restored = Record<
  (typeof counted)[number][0] | 'unreachable',
  readonly unknown[]
> & { isComplete: boolean };

function describeRestored(restored: Restored): string {
  const { unreachable, isComplete } = restored;
  const parts = counted
    .filter(([name]) => restored[name].length > 0)
    .map(([name, words]) => `${restored[name].length} ${words}`);
  return [
    `${parts.length > 0 ? parts.join(', ') : 'Nothing was found'}.`,
    ...(unreachable.length > 0 ? [`Not asked: ${unreachable.join(', ')}.`] : []),
    ...(isComplete ? [] : ['There may be more: restore again.']),
  ].join(' ');
}

type Grant = {
  origin: string;
  accounts: readonly { id: string; address: string }[];
};

// Which sites may see and use which accounts.
function Grants(): JSX.Element {
  const { provider, refresh, granted, accounts } = useSession();
  const { list, problem, load } = useList<Grant>('tollkeeper_getGrants');
  const action = useAction();
  useEffect(() => void load(), [load, granted, accounts]);
  const revoke = (origin: string, account?: string): void =>
    void action.run(async () => {
      const params = [account === undefined ? { origin } : { origin, account }];
      await provider.request({ method: 'tollkeeper_revokeGrant', params });
      await Promise.all([refresh(), load()]);
      return `${origin} has lost it.`;
    });
  return (
    <Card
      title="Grants"
      aside={
        <Button kind="quiet" label="Reload the grants" onClick={() => void load()}>
          Reload
        </Button>
      }
    >
      {problem !== undefined && <p class="hint error">{problem}</p>}
      {list.length === 0 && <Empty>No site was granted an account.</Empty>}
      <ul class="rows">
        {list.map(({ origin, accounts: own }) => (
          <li key={origin} class="row">
            <div class="row-main">
              <strong class="wrap">{origin}</strong>
              <Button
                kind="quiet"
                label={`Revoke all of ${origin}`}
                onClick={() => revoke(origin)}
              >
                Revoke all
              </Button>
            </div>
            <ul class="chips">
              {own.map(({ id, address }) => (
                <li key={id} class="chip">
                  <span class="mono">{shorten(address)}</span>
                  <Button
                    kind="quiet"
                    label={`Revoke ${shorten(address)} of ${origin}`}
                    onClick={() => revoke(origin, id)}
                  >
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <Output outcome={action.outcome} label="Answer about grants" />
    </Card>
  );
}
