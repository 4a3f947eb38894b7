/** @jsxImportSource preact */
// The accounts with what can be done with each.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Button, Card, Dialog, Empty, Output, useAction } from '../components';
import type { Action } from '../components';
import { shorten } from '../format';
import { askServer } from '../node';
import { useSession } from '../session';
import { AccountRow } from './AccountRow';
import { Export } from './Export';
import { useChainFacts } from './chain-facts';

/** Ten ether of the development chain. */
const GIFT = '0x8ac7230489e80000';

type Asked = { what: 'delete' | 'export'; account: KeyringAccount };

/** Draw the list. */
export function AccountList(): JSX.Element {
  const { accounts, status, config, provider, refresh, granted } = useSession();
  const factsOf = useChainFacts();
  const action = useAction();
  const [asked, ask] = useState<Asked>();
  const fund = async ({ address }: KeyringAccount): Promise<string> => {
    await askServer(String(config.chainUrl), 'anvil_setBalance', [address, GIFT]);
    await refresh();
    return `${shorten(address)} has 10 ETH of the development chain.`;
  };
  const connect = async (): Promise<string> => {
    await provider.request({ method: 'eth_requestAccounts' });
    await refresh();
    return 'This page is connected.';
  };
  return (
    <Card
      title={
        accounts.length === 0 ? 'Your accounts' : `Your accounts (${accounts.length})`
      }
      aside={
        <Button
          isBusy={action.isBusy}
          isDisabled={accounts.length === 0}
          onClick={() => void action.run(connect)}
        >
          {granted.length === 0 ? 'Connect this page' : 'Connected'}
        </Button>
      }
    >
      {accounts.length === 0 && (
        <Empty>
          {status?.state === 'ready'
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
            onExport={() => ask({ what: 'export', account })}
            onDelete={() => ask({ what: 'delete', account })}
          />
        ))}
      </ul>
      <Output outcome={action.outcome} label="Answer about the accounts" />
      <Export
        account={asked?.what === 'export' ? asked.account : undefined}
        onClose={() => ask(undefined)}
      />
      <Delete
        account={asked?.what === 'delete' ? asked.account : undefined}
        action={action}
        onClose={() => ask(undefined)}
      />
    </Card>
  );
}

function Delete({
  account,
  action,
  onClose,
}: {
  account: KeyringAccount | undefined;
  action: Action;
  onClose: () => void;
}): JSX.Element {
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
