// The accounts that can send: those that this page was granted.
import { useState } from 'preact/hooks';
import type { Hex } from 'viem';

import { shorten } from '../format';
import { useSession } from '../session';
import type { Sender } from './requests';

/** A choice of accounts, as a field draws it. */
export type Senders = {
  options: readonly { value: string; label: string }[];
  value: string;
  choose: (id: string) => void;
  /** Undefined while nobody can send. */
  sender: Sender | undefined;
};

/** Keep the choice; until there is one it follows the page's. */
export function useSenders(): Senders {
  const { accounts, granted, selected, chainId } = useSession();
  const [chosen, choose] = useState<string>();
  const own = new Set(granted.map((address) => address.toLowerCase()));
  const able = accounts.filter(({ address }) => own.has(address.toLowerCase()));
  const account =
    able.find(({ id }) => id === chosen) ??
    able.find(({ id }) => id === selected?.id) ??
    able[0];
  return {
    options: able.map(({ id, address, type }) => ({
      value: id,
      label: `${shorten(address)}${type === 'eip155:eoa' ? '' : ' (smart)'}`,
    })),
    value: account?.id ?? '',
    choose,
    sender:
      account && chainId !== undefined
        ? {
            address: account.address as Hex,
            isSmart: account.type !== 'eip155:eoa',
            chainId: chainId as Hex,
          }
        : undefined,
  };
}
