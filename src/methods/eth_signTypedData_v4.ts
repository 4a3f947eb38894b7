// eth_signTypedData_v4 [address, typedData] → signature (EIP-712).
import { tuple, unknown } from '@metamask/superstruct';

import { AddressStruct } from '../eth/hex';
import { findDomainChainId, parseTypedData, signTypedData } from '../eth/typed-data';
import { parse } from '../parse';
import { TypedDataConfirmation } from '../ui/confirm/typed-data';
import { assertOwnAddress } from './account-check';
import { assertSameChain } from './choose-chain';
import { defineMethod } from './method';

const ROOT = 'eth_signTypedData_v4: params';

const ParamsStruct = tuple([AddressStruct, unknown()]);

/** Signs a typed-data document. Its domain's chain must be the one named outright, if one
 * was; the snap's own network says nothing about it. */
export const ethSignTypedDataV4 = defineMethod({
  name: 'eth_signTypedData_v4',
  accountType: 'eip155:eoa',
  signs: true,
  parse: (params) => {
    const [address, document] = parse(params, ParamsStruct, ROOT);
    const data = parseTypedData(document, `${ROOT}[1]`);
    return { address, data, chainId: findDomainChainId(data, `${ROOT}[1]`) };
  },
  findAddresses: ({ address }) => [address],
  run: async ({ address, data, chainId }, { account, origin, scope }, services) => {
    assertOwnAddress(account, address, 'The address');
    assertSameChain(scope, chainId);
    await services.requireConsent((translate) =>
      TypedDataConfirmation({
        translate,
        origin,
        account: account.address,
        chainId: chainId ?? scope,
        data,
      }),
    );
    return services.withPrivateKey(account, (key) => signTypedData(data, key));
  },
});
