// What the versions of eth_signTypedData have in common. Params are [address, data]; some
// dapps send the two the other way round, as version 1 had them first.
import { tuple, unknown } from '@metamask/superstruct';

import type { ChainId } from '../eth/chain';
import { AddressStruct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findLookAlikes } from '../eth/look-alike';
import type { TypedAlert } from '../eth/typed-alerts';
import type { TypedContext } from '../eth/typed-domain-alerts';
import { matches, parse } from '../schema/parse';
import type { TypedDataView } from '../ui/confirm/typed-data';
import type { PagedView } from '../ui/pages';
import { assertOwnAddress } from './account-check';
import { assertSameChain } from './choose-chain';
import { defineMethod } from './method';
import type { Method, MethodRequest, MethodServices } from './method';
import { findContext, findWithoutCode } from './signing-context';

/** One version: how its data are read, shown and signed. */
export type TypedDataVersion<Data> = {
  /** Wire name. */
  name: string;
  /** Whether it is only for dapps: a name that MetaMask does not use. */
  isForDapps?: boolean;
  /** Read the data; `root` is how messages name them. */
  parse: (value: unknown, root: string) => Data;
  /** Find the chain that the data are for, where they can name one. */
  findChainId: (data: Data, root: string) => ChainId | undefined;
  sign: (data: Data, privateKey: Uint8Array) => Hex;
  draw: (view: TypedDataView<Data>) => PagedView;
  /** List the addresses in the data. */
  listAddresses: (data: Data) => Hex[];
  /** List the contracts whose code is worth a look. */
  listContracts: (data: Data) => Hex[];
  findAlerts: (data: Data, context: TypedContext) => TypedAlert[];
};

const ParamsStruct = tuple([unknown(), unknown()]);

/** Define a version. The chain of its data must be the one named outright, if both name
 * one; the snap's own network says nothing about it. */
export function defineTypedDataMethod<Data>(version: TypedDataVersion<Data>): Method {
  return defineMethod({
    name: version.name,
    accountType: 'eip155:eoa',
    signs: true,
    isForDapps: version.isForDapps ?? false,
    parse: (params) => {
      const { address, document, root } = readParams(params, `${version.name}: params`);
      const data = version.parse(document, root);
      return { address, data, chainId: version.findChainId(data, root) };
    },
    findAddresses: ({ address }) => [address],
    countCalls: ({ data }) => version.listContracts(data).length,
    run: async ({ address, data, chainId }, request, services) => {
      const { account, origin, scope } = request;
      assertOwnAddress(account, address, 'The address');
      assertSameChain(scope, chainId);
      const chain = chainId ?? scope;
      const found = services.confirmsItself
        ? await lookAt(data, { version, chain, request, services })
        : {};
      await services.requireConsent((translate) =>
        version.draw({
          translate,
          origin,
          account: account.address,
          chainId,
          data,
          ...found,
        }),
      );
      return services.withPrivateKey(account, (key) => version.sign(data, key));
    },
  });
}

type Look<Data> = {
  version: TypedDataVersion<Data>;
  chain: ChainId | undefined;
  request: MethodRequest;
  services: MethodServices;
};

/** Find what the signer should know about data. */
async function lookAt<Data>(
  data: Data,
  { version, chain, request, services }: Look<Data>,
): Promise<Pick<TypedDataView<Data>, 'alerts' | 'lookAlikes'>> {
  const [context, known, withoutCode] = await Promise.all([
    findContext(request, services),
    services.knownAddresses(),
    findWithoutCode(version.listContracts(data), chain, services),
  ]);
  return {
    alerts: version.findAlerts(data, { ...context, withoutCode }),
    lookAlikes: findLookAlikes(version.listAddresses(data), known.all),
  };
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
