// What the versions of eth_signTypedData have in common. Params are [address, data]; some
// dapps send the two the other way round, as version 1 had them first.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { tuple, unknown } from '@metamask/superstruct';

import type { ChainId } from '../eth/chain';
import { AddressStruct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { matches, parse } from '../parse';
import type { TypedDataView } from '../ui/confirm/typed-data';
import { assertOwnAddress } from './account-check';
import { assertSameChain } from './choose-chain';
import { defineMethod } from './method';
import type { Method } from './method';

/** One version: how its data are read, shown and signed. */
export type TypedDataVersion<Data> = {
  /** Wire name. */
  name: string;
  /** Read the data; `root` is how messages name them. */
  parse: (value: unknown, root: string) => Data;
  /** Find the chain that the data are for, where they can name one. */
  findChainId: (data: Data, root: string) => ChainId | undefined;
  sign: (data: Data, privateKey: Uint8Array) => Hex;
  draw: (view: TypedDataView<Data>) => JSXElement;
};

const ParamsStruct = tuple([unknown(), unknown()]);

/** Define a version. The chain of its data must be the one named outright, if both name
 * one; the snap's own network says nothing about it. */
export function defineTypedDataMethod<Data>(version: TypedDataVersion<Data>): Method {
  return defineMethod({
    name: version.name,
    accountType: 'eip155:eoa',
    signs: true,
    parse: (params) => {
      const { address, document, root } = readParams(params, `${version.name}: params`);
      const data = version.parse(document, root);
      return { address, data, chainId: version.findChainId(data, root) };
    },
    findAddresses: ({ address }) => [address],
    run: async ({ address, data, chainId }, request, services) => {
      const { account, origin, scope } = request;
      assertOwnAddress(account, address, 'The address');
      assertSameChain(scope, chainId);
      await services.requireConsent((translate) =>
        version.draw({
          translate,
          origin,
          account: account.address,
          chainId: chainId ?? scope,
          data,
        }),
      );
      return services.withPrivateKey(account, (key) => version.sign(data, key));
    },
  });
}

type Params = { address: Hex; document: unknown; root: string };

// Data are never an address, so there is no doubt which is which.
function readParams(params: unknown, root: string): Params {
  const [first, second] = parse(params, ParamsStruct, root);
  const isSwapped =
    !matches(first, AddressStruct) &&
    (matches(second, AddressStruct) || typeof first === 'object');
  const [address, document] = isSwapped ? [second, first] : [first, second];
  return {
    address: parse(address, AddressStruct, `${root}[${isSwapped ? 1 : 0}]`),
    document,
    root: `${root}[${isSwapped ? 0 : 1}]`,
  };
}
