// A site has something signed.
import { recoverMessageAddress, recoverTypedDataAddress, stringToHex } from 'viem';
import type { Hex } from 'viem';

import type { Account, Case } from '../bench';
import { hold } from '../flow';
import type { Flow } from '../flow';
import { firstAccount } from './site';

const MESSAGE = 'A message of the site.';

const DOCUMENT = {
  domain: { name: 'Faults', chainId: 31_337n },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Note: [{ name: 'text', type: 'string' }],
  },
  primaryType: 'Note',
  message: { text: MESSAGE },
} as const;

/** The site has a message signed. */
export const signMessage = signing('sign a message', {
  ask: async ({ dapp }, address) =>
    dapp.snap('personal_sign', [stringToHex(MESSAGE), address]),
  recover: async (signature) => recoverMessageAddress({ message: MESSAGE, signature }),
});

/** The site has typed data signed. */
export const signDocument = signing('sign typed data', {
  ask: async ({ dapp }, address) =>
    dapp.snap('eth_signTypedData_v4', [address, toJsonText(DOCUMENT)]),
  recover: async (signature) => recoverTypedDataAddress({ ...DOCUMENT, signature }),
});

function toJsonText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? Number(each) : each,
  );
}

type Signing = {
  ask: (bench: Case, address: Hex) => Promise<unknown>;
  recover: (signature: Hex) => Promise<Hex>;
};

function signing(name: string, { ask, recover }: Signing): Flow<Account> {
  return {
    name,
    prepare: firstAccount,
    run: async (bench, { address }) => ask(bench, address),
    check: async (bench, { address }, { ending }) => {
      const again = await bench.get(ask(bench, address));
      const all = 'result' in ending ? [ending.result, again] : [again];
      for (const signature of all) {
        const signer = await recover(signature as Hex);
        hold(signer.toLowerCase() === address, 'the account has signed');
      }
      return 'again it is signed';
    },
  };
}
