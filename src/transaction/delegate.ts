// tollkeeper_delegate [{ account, chainId, entryPoint? }] and tollkeeper_revokeDelegation [{
// account, chainId, payer?, assets? }] → { hash }: lets a contract's code act for an ordinary
// account on a chain, or revokes the delegation (EIP-7702). Only known contracts are offered, here
// and in wallet_sendCalls. The steps for another account as payer are in rescue.ts.
import { exactOptional, tuple } from '@metamask/superstruct';

import { fetchDelegation, findOffered } from '../chains/delegation';
import type { Delegation } from '../chains/delegation';
import { bindSteps, defineMethod } from '../context';
import type { PreparingContext, SigningSteps } from '../context';
import { implementations } from '../core/authorization';
import { InvalidParamsError, UnavailableError } from '../core/errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import { toOwnAuthorization } from '../eth/delegation';
import { isSameAddress, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { TransactionRequest } from '../eth/transaction';
import { AccountStruct, assertNamed, assertSameChain, assertServed } from '../request';
import { parse } from '../schema/parse';
import { oneOf, paramObject } from '../schema/structs';
import { prepareTransaction } from './prepare';
import { AssetsStruct, requireDelegation, rescueSteps, sendForHash } from './rescue';
import { sendingSteps } from './send';
import type { PreparedSending } from './send';
import type { ActTitle } from './view';

const accountAndChain = { account: AccountStruct, chainId: ChainIdStruct };

export const DelegateParamsStruct = tuple([
  paramObject({
    ...accountAndChain,
    entryPoint: exactOptional(oneOf(implementations.map((each) => each.entryPoint))),
  }),
]);

export const RevokeDelegationParamsStruct = tuple([
  paramObject({
    ...accountAndChain,
    payer: exactOptional(AccountStruct),
    assets: exactOptional(AssetsStruct),
  }),
]);

type DelegationParams = { account: string; chainId: bigint; entryPoint?: string };

export const tollkeeperDelegate = defineMethod({
  parse: (params) =>
    parse(params, DelegateParamsStruct, 'tollkeeper_delegate: params')[0],
  accounts: ({ account }) => [account as Hex],
  countCalls: () => 1,
  ...delegationSteps({
    title: 'delegation.delegate',
    chooseDelegate: async ({ chainId, entryPoint }, current, context) => {
      const { address } = context.account;
      const chain = await context.connect(chainId);
      const offered = await findOffered(chain, address, entryPoint);
      if (!offered) {
        const version = entryPoint === undefined ? '' : ` for EntryPoint ${entryPoint}`;
        throw new UnavailableError(
          `No account contract${version} that Tollkeeper knows can be used on ${toCaip2(chainId)}: ` +
            'it is not deployed there, its code differs, or the chain does not support EIP-7702. ' +
            'Nothing was signed.',
        );
      }
      if (current && isSameAddress(current.address, offered.address)) {
        throw new InvalidParamsError(
          `${address} already delegates to ${offered.address} on ${toCaip2(chainId)}.`,
        );
      }
      return offered.address;
    },
  }),
});

const selfPaidSteps = delegationSteps({
  title: 'delegation.revoke',
  chooseDelegate: async ({ chainId }, current, { account }) => {
    requireDelegation(current, account, chainId);
    return Promise.resolve(ZERO_ADDRESS);
  },
});

export const tollkeeperRevokeDelegation = defineMethod({
  parse: (params) => {
    const root = 'tollkeeper_revokeDelegation: params';
    const [wanted] = parse(params, RevokeDelegationParamsStruct, root);
    if (wanted.assets === undefined || wanted.payer !== undefined) return wanted;
    throw new InvalidParamsError(
      `${root}[0].assets needs payer: the account that the assets move to.`,
    );
  },
  // The account that sends the transaction.
  accounts: ({ account, payer = account }) => [payer as Hex],
  countCalls: () => 1,
  choose: async ({ payer, ...wanted }) =>
    Promise.resolve(
      payer === undefined
        ? bindSteps(selfPaidSteps, wanted)
        : bindSteps(rescueSteps, { ...wanted, payer }),
    ),
});

function delegationSteps({
  title,
  chooseDelegate,
}: {
  title: ActTitle;
  chooseDelegate: (
    wanted: DelegationParams,
    current: Delegation | undefined,
    context: PreparingContext,
  ) => Promise<Hex>;
}): SigningSteps<DelegationParams, PreparedSending> {
  return {
    ...sendingSteps,
    prepare: async (wanted, context) => {
      const { account, origin, scope } = context;
      const { address } = account;
      const { chainId: id } = wanted;
      // The envelope may name a different account.
      assertNamed(account, wanted.account, 'account');
      assertSameChain(scope, id);
      assertServed(account, id);
      const chain = await context.connect(id);
      const current = await fetchDelegation(chain.node, address);
      const delegate = await chooseDelegate(wanted, current, context);
      const request: TransactionRequest = {
        from: address,
        to: address,
        value: 0n,
        data: '0x',
        chainId: id,
        authorizationList: [toOwnAuthorization(id, delegate)],
      };
      return {
        filled: await prepareTransaction(request, { id, chain }, context),
        showing: { origin, title, isNonceOpen: true, delegation: current },
        chain,
      };
    },
    sign: sendForHash,
  };
}
