/** @jsxImportSource preact */
// Which sites may see and use which accounts; each can be taken back.
import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';

import { Button, Card, Empty, Output, toFailure, useAction } from '../components';
import { shorten } from '../format';
import { useSession } from '../session';

type Grant = {
  origin: string;
  accounts: readonly { id: string; address: string }[];
};

/** Draw the list. */
export function Grants(): JSX.Element {
  const { provider, refresh } = useSession();
  const { grants, problem, load } = useGrants();
  const action = useAction();
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
        <Button kind="quiet" onClick={() => void load()}>
          Reload
        </Button>
      }
    >
      {problem !== undefined && <p class="hint error">{problem}</p>}
      {grants.length === 0 && <Empty>No site was granted an account.</Empty>}
      <ul class="rows">
        {grants.map(({ origin, accounts }) => (
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
              {accounts.map(({ id, address }) => (
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

function useGrants(): {
  grants: readonly Grant[];
  problem: string | undefined;
  load: () => Promise<void>;
} {
  const { provider, status, granted, accounts } = useSession();
  const [grants, setGrants] = useState<readonly Grant[]>([]);
  const [problem, setProblem] = useState<string>();
  const isReady = status?.state === 'ready';
  const load = useCallback(async () => {
    if (!isReady) return;
    try {
      const found = await provider.request({ method: 'tollkeeper_getGrants' });
      setGrants(found as Grant[]);
      setProblem(undefined);
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  }, [isReady, provider]);
  useEffect(() => void load(), [load, granted, accounts]);
  return { grants, problem, load };
}
