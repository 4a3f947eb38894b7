// What the chain knows of accounts: balances, and which smart ones are deployed. Asked anew
// whenever the accounts change, or something was done.
import type { KeyringAccount } from '@metamask/keyring-api';
import { useEffect, useState } from 'preact/hooks';

import { nameChain, toEther } from '../format';
import { askServer } from '../node';
import { useSession } from '../session';
import type { Session } from '../session';

/** What is shown of an account beside what the snap knows. */
export type ChainFacts = { balance: string; deployment: string };

const nothing: ChainFacts = { balance: '–', deployment: '–' };

/** Find out the facts of all accounts, by account id. */
export function useChainFacts(): (account: KeyringAccount) => ChainFacts {
  const session = useSession();
  const { accounts } = session;
  const [facts, setFacts] = useState<Record<string, ChainFacts>>({});
  useEffect(() => {
    let isCurrent = true;
    void Promise.all(
      accounts.map(async (account) => {
        const own = await findFacts(account, session);
        if (isCurrent) setFacts((before) => ({ ...before, [account.id]: own }));
      }),
    );
    return () => {
      isCurrent = false;
    };
  }, [accounts]);
  return ({ id }) => facts[id] ?? nothing;
}

async function findFacts(
  account: KeyringAccount,
  session: Session,
): Promise<ChainFacts> {
  const [balance, deployment] = await Promise.all([
    findBalance(account.address, session).catch(() => 'unknown'),
    findDeployment(account, session).catch(() => 'unknown'),
  ]);
  return { balance, deployment };
}

async function findBalance(address: string, session: Session): Promise<string> {
  const { config, provider } = session;
  const [method, params] = ['eth_getBalance', [address, 'latest']] as const;
  const wei = config.chainUrl
    ? await askServer<string>(config.chainUrl, method, params)
    : await provider.request({ method, params });
  return `${toEther(BigInt(String(wei)))} ETH`;
}

async function findDeployment(
  { id, type }: KeyringAccount,
  { provider }: Session,
): Promise<string> {
  if (type !== 'eip155:erc4337') return 'needs none';
  const params = [{ account: id }];
  const method = 'tollkeeper_getDeployments';
  const found = Object.entries(
    await provider.request<Record<string, string>>({ method, params }),
  );
  return found
    .map(([chain, state]) => `${words[state] ?? 'unknown'} on ${nameChain(chain)}`)
    .join(', ');
}

const words: Record<string, string> = {
  deployed: 'deployed',
  absent: 'not yet deployed',
};
