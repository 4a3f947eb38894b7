/** @jsxImportSource preact */
// The requests that wait.
import type { KeyringRequest } from '@metamask/keyring-api';
import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';

import {
  Button,
  Card,
  Code,
  Empty,
  Output,
  toFailure,
  toText,
  useAction,
} from '../components';
import type { Action } from '../components';
import { nameChain, shorten } from '../format';
import { useSession } from '../session';

/** They are looked for again so often, while the page is seen. */
const INTERVAL_MS = 4_000;

/** Draw the list. */
export function Waiting(): JSX.Element {
  const { requests, problem, load } = useRequests();
  const action = useAction();
  return (
    <Card
      title={requests.length === 0 ? 'Waiting' : `Waiting (${requests.length})`}
      aside={
        <Button kind="quiet" onClick={() => void load()}>
          Reload
        </Button>
      }
    >
      {problem !== undefined && <p class="hint error">{problem}</p>}
      {requests.length === 0 && <Empty>No request waits for you.</Empty>}
      <ul class="rows">
        {requests.map((request) => (
          <Request key={request.id} request={request} action={action} load={load} />
        ))}
      </ul>
      <Output outcome={action.outcome} label="Answer about the request" />
    </Card>
  );
}

function Request({
  request: { id, account, scope, origin, request },
  action,
  load,
}: {
  request: KeyringRequest;
  action: Action;
  load: () => Promise<void>;
}): JSX.Element {
  const { provider, accounts } = useSession();
  const address = accounts.find((each) => each.id === account)?.address ?? account;
  const decide = (method: string, said: string): void =>
    void action.run(async () => {
      try {
        await provider.request({ method, params: { id } });
        return said;
      } finally {
        await load();
      }
    });
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
        <Button
          kind="primary"
          isBusy={action.isBusy}
          onClick={() =>
            decide('keyring_approveRequest', 'Signed, and given to MetaMask.')
          }
        >
          Approve
        </Button>
        <Button
          kind="danger"
          isBusy={action.isBusy}
          onClick={() => decide('keyring_rejectRequest', 'Rejected; MetaMask knows.')}
        >
          Reject
        </Button>
      </div>
    </li>
  );
}

// MetaMask's link names the request that its user comes for.
const wanted = new URLSearchParams(window.location.search).get('request');

function useRequests(): {
  requests: readonly KeyringRequest[];
  problem: string | undefined;
  load: () => Promise<void>;
} {
  const { provider, status } = useSession();
  const [requests, setRequests] = useState<readonly KeyringRequest[]>([]);
  const [problem, setProblem] = useState<string>();
  const isReady = status?.state === 'ready';
  const load = useCallback(async () => {
    if (!isReady || document.hidden) return;
    try {
      const found = await provider.request({ method: 'keyring_listRequests' });
      setRequests(found as KeyringRequest[]);
      setProblem(undefined);
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  }, [isReady, provider]);
  useEffect(() => {
    void load();
    const timer = setInterval(() => void load(), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [load]);
  return { requests, problem, load };
}
