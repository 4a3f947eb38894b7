/** @jsxImportSource preact */
// Section “Requests”: MetaMask's requests that wait for the user here, and the settings.
import type { KeyringRequest } from '@metamask/keyring-api';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { toFailure, toText, useAction, type Action } from './action';
import { Button, Card, Check, Code, Empty, Field, Output, Section } from './components';
import { nameChain, shorten } from './format';
import { useList, useSession } from './session';

export function Requests(): JSX.Element {
  return (
    <Section
      id="requests"
      title="Requests"
      lead="In asynchronous mode MetaMask sends you here: what it asks to be signed waits until you decide."
    >
      <div class="cards">
        <Waiting />
        <Settings />
      </div>
    </Section>
  );
}

/** Time between two looks for requests while the page is visible, in ms. */
const INTERVAL_MS = 4_000;

function Waiting(): JSX.Element {
  const { list, problem, load } = useList<KeyringRequest>(
    'keyring_listRequests',
    () => document.hidden,
  );
  const action = useAction();
  useEffect(() => {
    void load();
    const timer = setInterval(() => void load(), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [load]);
  return (
    <Card
      title={list.length === 0 ? 'Waiting' : `Waiting (${list.length})`}
      aside={
        <Button kind="quiet" label="Reload the requests" onClick={() => void load()}>
          Reload
        </Button>
      }
    >
      {problem !== undefined && <p class="hint error">{problem}</p>}
      {list.length === 0 && <Empty>No request waits for you.</Empty>}
      <ul class="rows">
        {list.map((request) => (
          <Request key={request.id} request={request} action={action} load={load} />
        ))}
      </ul>
      <Output outcome={action.outcome} label="Answer about the request" />
    </Card>
  );
}

// MetaMask's link names the request that its user comes for.
const wanted = new URLSearchParams(window.location.search).get('request');

function Request(props: {
  request: KeyringRequest;
  action: Action;
  load: () => Promise<void>;
}): JSX.Element {
  const { provider, accounts } = useSession();
  const { id, account, scope, origin, request } = props.request;
  const { action, load } = props;
  const address = accounts.find((each) => each.id === account)?.address ?? account;
  const decide = (method: string, params: object, answer: string): void =>
    void action.run(async () => {
      try {
        await provider.request({ method, params });
        return answer;
      } finally {
        await load();
      }
    });
  const approve = (): void =>
    decide(
      'keyring_approveRequest',
      { id, data: {} },
      'Signed, and given to MetaMask.',
    );
  const reject = (): void =>
    decide('keyring_rejectRequest', { id }, 'Rejected; MetaMask knows.');
  return (
    <li class={id === wanted ? 'row selected' : 'row'}>
      <div class="row-main">
        <strong class="mono">{request.method}</strong>
        <span class="soft small wrap">
          {shorten(address)} · {nameChain(scope)} · {origin}
        </span>
      </div>
      <Code text={toText(request.params ?? [])} label={`Params of ${request.method}`} />
      <div class="actions">
        <Button kind="primary" isBusy={action.isBusy} onClick={approve}>
          Approve
        </Button>
        <Button kind="danger" isBusy={action.isBusy} onClick={reject}>
          Reject
        </Button>
      </div>
    </li>
  );
}

const defaults = {
  approvalMode: 'synchronous',
  feeLevel: 'medium',
  secondConfirmation: false,
  notifications: true,
  prices: true,
};

type SettingValues = typeof defaults;

const choices = [
  {
    name: 'approvalMode',
    label: 'What MetaMask asks to be signed',
    options: [
      { value: 'synchronous', label: 'Signed at once (synchronous)' },
      { value: 'asynchronous', label: 'Wait on this page (asynchronous)' },
    ],
  },
  {
    name: 'feeLevel',
    label: 'Level of fees that are filled in',
    options: [
      { value: 'low', label: 'Low' },
      { value: 'medium', label: 'Medium' },
      { value: 'high', label: 'High' },
    ],
  },
] as const;

const checks = [
  ['secondConfirmation', 'Confirm here once more what MetaMask confirmed'],
  ['notifications', 'Tell what became of what was sent'],
  ['prices', 'Show costs in US dollars as well'],
] as const;

// Each setting is saved as it is changed.
function Settings(): JSX.Element {
  const { provider, isReady } = useSession();
  const [settings, setSettings] = useState(defaults);
  const [problem, setProblem] = useState<string>();
  const action = useAction();
  useEffect(() => {
    if (!isReady) return;
    provider
      .request<SettingValues>({ method: 'tollkeeper_getSettings' })
      .then(setSettings)
      .catch((error: unknown) => setProblem(toFailure(error).message));
  }, [isReady, provider]);
  const save = (change: Partial<SettingValues>): void =>
    void action.run(async () => {
      const request = { method: 'tollkeeper_setSettings', params: [change] };
      setSettings(await provider.request<SettingValues>(request));
      return 'Saved.';
    });
  return (
    <Card title="Settings">
      {problem !== undefined && <p class="hint error">{problem}</p>}
      {choices.map((field) => (
        <Field
          key={field.name}
          field={{ ...field, isDisabled: !isReady }}
          value={settings[field.name]}
          onInput={(value) => save({ [field.name]: value })}
        />
      ))}
      {checks.map(([name, label]) => (
        <Check
          key={name}
          label={label}
          isChecked={settings[name]}
          isDisabled={!isReady}
          onChange={(isChecked) => save({ [name]: isChecked })}
        />
      ))}
      <Output outcome={action.outcome} label="Answer about the settings" />
    </Card>
  );
}
