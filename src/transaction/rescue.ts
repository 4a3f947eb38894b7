// Revokes the delegation (EIP-7702) of an account that cannot pay, for example because its contract
// takes all incoming native currency. Another account of the user sends the transaction and pays.
// The rescued account signs an authorization for the zero address, and the transaction is an empty
// call to that account. To move assets as well, the account delegates to a contract that we know
// instead, and the transaction sends the EntryPoint a user operation with the transfers. Chains
// apply authorizations before the call. The operation has no fees, because the transaction pays.
// One approval covers all signatures.
import { exactOptional } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import type { NodeClient } from '../../packages/client/src';
import { toDelegated } from '../accounts/kinds/kinds';
import type { Chain } from '../chains/chain';
import { fetchDelegation, findOffered } from '../chains/delegation';
import type { Delegation } from '../chains/delegation';
import type { PreparingContext, SigningSteps } from '../context';
import { entryPoints } from '../core/entry-points';
import { InvalidParamsError, UnavailableError } from '../core/errors';
import { toChainForm } from '../core/operation';
import type {
  Authorization,
  SigningPayload,
  SigningTask,
  Transaction,
  UserOperation,
} from '../core/payload';
import { encodeCall, toWord } from '../eth/abi';
import type { Call } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toOthersAuthorization } from '../eth/delegation';
import { AddressStruct, QuantityStruct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { computeIntrinsicGas, forkGas } from '../eth/intrinsic-gas';
import type { TransactionRequest } from '../eth/transaction';
import { fetchOperationNonce } from '../fees/fill-user-operation';
import { estimateGas } from '../fees/gas-limit';
import { percentOf } from '../fees/level';
import { assertNamed, assertSameChain, assertServed } from '../request';
import { list, paramObject } from '../schema/structs';
import { HOME_ORIGIN } from '../sites/consent';
import { toAccountRef } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import { prepareTransaction } from './prepare';
import { sendingSteps } from './send';
import type { PreparedSending } from './send';

/** `account` and `payer` are ids or addresses. */
type RescueParams = {
  account: string;
  payer: string;
  chainId: ChainId;
  assets?: readonly Asset[];
};

type PreparedRescue = PreparedSending & {
  rescued: string;
  authorization: Authorization;
};

export const rescueSteps: SigningSteps<RescueParams, PreparedRescue> = {
  ...sendingSteps,
  prepare: async ({ account: rescued, payer: named, chainId: id, assets }, context) => {
    const { account: payer, origin, scope } = context;
    // The envelope may name a different account.
    assertNamed(payer, named, 'payer');
    assertSameChain(scope, id);
    assertServed(payer, id);
    const account = await getRescued(rescued, context);
    if (account.id === payer.id) {
      throw new InvalidParamsError(
        'payer is the account itself. Name another one, or leave payer out.',
      );
    }
    const chain = await context.connect(id);
    const [delegation, nonce, balance] = await Promise.all([
      fetchDelegation(chain.node, account.address),
      fetchNonce(account.address, chain),
      chain.node.request('eth_getBalance', [payer.address, 'latest']),
    ]);
    requireDelegation(delegation, account, id);
    const { address: authority } = account;
    const { address: from } = payer;
    if (BigInt(balance) === 0n) {
      throw new UnavailableError(
        `${from} has no native currency on ${toCaip2(id)} to pay with. Nothing was signed: choose ` +
          'another payer.',
      );
    }
    const move =
      assets &&
      (await prepareMove(assets, { account, payer: from, nonce, chain }, context));
    const authorization = toOthersAuthorization(id, {
      authority,
      nonce,
      ...(move && { address: move.delegate }),
    });
    const request: TransactionRequest = {
      ...(move?.call ?? { to: authority, data: '0x' }),
      from,
      value: 0n,
      chainId: id,
      authorizationList: [authorization],
    };
    const toOthers = (transaction: Transaction): SigningTask[] => [
      {
        account: toAccountRef(payer),
        payload: { kind: 'transaction', transaction },
        open: move ? ['nonce', 'signatures'] : ['nonce'],
      },
      {
        account: toAccountRef(account),
        payload: { kind: 'authorization', authorization },
      },
      ...(move ? [{ account: toAccountRef(account), payload: move.payload }] : []),
    ];
    const title = move ? 'rescue.move' : 'delegation.revoke';
    return {
      filled: await prepareTransaction(request, { id, chain }, context),
      showing: { origin, title, isNonceOpen: true, delegation, toOthers },
      chain,
      rescued,
      authorization,
    };
  },
  sign: async (approval, prepared, context) => {
    const { chain, rescued, authorization } = prepared;
    const { core } = context;
    const account = await getRescued(rescued, context);
    if ((await fetchNonce(account.address, chain)) !== authorization.nonce) {
      throw new UnavailableError(
        `The nonce of ${account.address} changed while the dialog was open. Nothing was signed: try ` +
          'again.',
      );
    }
    await core.signAuthorization(approval, 1);
    if (core.tasksOf(approval).length > 2) await core.signOperation(approval, 2);
    return sendForHash(approval, prepared, context);
  },
};

export async function sendForHash(
  ...sending: Parameters<typeof sendingSteps.sign>
): Promise<{ hash: Hex }> {
  return { hash: await sendingSteps.sign(...sending) };
}

export function requireDelegation(
  delegation: Delegation | undefined,
  { address }: AccountRecord,
  chainId: ChainId,
): void {
  if (delegation) return;
  throw new InvalidParamsError(
    `${address} delegates to no contract on ${toCaip2(chainId)}: there is nothing to revoke.`,
  );
}

// Sites can only name granted accounts. The home page can name any.
async function getRescued(
  named: string,
  { origin, grants, keyring }: Pick<PreparingContext, 'origin' | 'grants' | 'keyring'>,
): Promise<AccountRecord> {
  return origin === HOME_ORIGIN
    ? keyring.getRecord(named)
    : grants.require(origin, [named]);
}

export async function fetchNonce(address: Hex, { node }: Chain): Promise<bigint> {
  return BigInt(await node.request('eth_getTransactionCount', [address, 'latest']));
}

/** An asset to move. ERC-20 tokens have no `id`, and the whole balance moves if `amount` is
 * missing. ERC-721 tokens have an `id`, and ERC-1155 tokens have both. */
const AssetStruct = paramObject({
  token: AddressStruct,
  id: exactOptional(QuantityStruct),
  amount: exactOptional(QuantityStruct),
});

export type Asset = Infer<typeof AssetStruct>;

/** Limited to as many assets as a person can check. */
export const AssetsStruct = list(AssetStruct, { min: 1, max: 20 });

const HANDLE_OPERATIONS =
  'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)';

/** Covers the EntryPoint's own gas, and state changes before the transaction is included. */
const GAS_MARGIN_PERCENT = 130n;

/** A call to the EntryPoint with a user operation that moves the assets. */
type Move = {
  delegate: Hex;
  call: { to: Hex; data: Hex; gasLimit: bigint };
  payload: SigningPayload;
};

/** `account` is the rescued account, and `nonce` is for its authorization. */
type MoveContext = { account: AccountRecord; payer: Hex; nonce: bigint; chain: Chain };

/**
 * Prepares the transaction that moves assets of an account to its payer.
 *
 * @throws {InvalidParamsError} If the payer has code, which EntryPoints refuse, or the amount of a
 *   token to move is zero.
 * @throws {UnavailableError} If the chain has none of the offered contracts.
 * @throws {RpcError} With the node's reason, if the transfers would fail.
 */
async function prepareMove(
  assets: readonly Asset[],
  { account, payer, nonce, chain }: MoveContext,
  { findFork }: PreparingContext,
): Promise<Move> {
  const { id: chainId, node } = chain;
  const { address: owner } = account;
  const [offered, payerCode, fork, ...calls] = await Promise.all([
    findOffered(chain, owner),
    node.request('eth_getCode', [payer, 'latest']),
    findFork(chain),
    ...assets.map(async (asset) => toTransfer(asset, { owner, payer, node })),
  ]);
  if (!offered) {
    throw new UnavailableError(
      `No account contract that Tollkeeper knows can be used on ${toCaip2(chainId)}, so assets ` +
        'cannot be moved with the rescue. Nothing was signed: leave assets out.',
    );
  }
  if (payerCode !== '0x') {
    throw new InvalidParamsError(
      `${payer} delegates to a contract, and an EntryPoint takes operations only from accounts ` +
        'without code. Choose another payer, or leave assets out.',
    );
  }
  const { entryPoint: version } = offered;
  const operator = toDelegated(account, offered);
  const { entryPoint } = entryPoints[version];
  const authorizationList = [
    toOthersAuthorization(chainId, {
      authority: owner,
      nonce,
      address: offered.address,
    }),
  ];
  const callData = operator.encode(calls);
  const common = { value: 0n, chainId, authorizationList };
  const [operationNonce, { gasLimit: callGasLimit }] = await Promise.all([
    fetchOperationNonce(operator, 0n, node),
    estimateGas(
      { ...common, from: entryPoint, to: owner, data: callData },
      { chainId, node, findFork: async () => Promise.resolve(fork) },
    ),
  ]);
  const verificationGasLimit = 4n * forkGas[fork].verification;
  const operation: UserOperation = {
    sender: owner,
    nonce: operationNonce,
    initCode: '0x',
    callData,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas: 0n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    paymasterAndData: '0x',
    signature: operator.dummySignature,
  };
  // The core replaces the placeholder with the signature.
  const data = encodeCall(HANDLE_OPERATIONS, [
    [toChainForm(operation, version).values],
    payer,
  ]);
  const request = { ...common, from: payer, to: entryPoint, data };
  const least = computeIntrinsicGas(request, fork, { recipient: 'exists' });
  const gas = least + verificationGasLimit + callGasLimit;
  return {
    delegate: offered.address,
    call: { to: entryPoint, data, gasLimit: percentOf(gas, GAS_MARGIN_PERCENT) },
    payload: {
      kind: 'operation',
      operation,
      domain: { chainId, entryPoint: version },
    },
  };
}

async function toTransfer(
  { token: to, id, amount }: Asset,
  { owner, payer, node }: { owner: Hex; payer: Hex; node: NodeClient },
): Promise<Call> {
  const toCall = (...call: Parameters<typeof encodeCall>): Call => {
    return { to, value: 0n, data: encodeCall(...call) };
  };
  if (id !== undefined && amount !== undefined) {
    const values = [owner, payer, id, amount, new Uint8Array()];
    return toCall('safeTransferFrom(address,address,uint256,uint256,bytes)', values);
  }
  if (id !== undefined) {
    return toCall('safeTransferFrom(address,address,uint256)', [owner, payer, id]);
  }
  const data = encodeCall('balanceOf(address)', [owner]);
  const held =
    amount ?? toWord(await node.request('eth_call', [{ to, data }, 'latest'])) ?? 0n;
  if (held === 0n) {
    throw new InvalidParamsError(
      `${owner} has no tokens of ${to} to move. Leave the token out.`,
    );
  }
  return toCall('transfer(address,uint256)', [payer, held]);
}
