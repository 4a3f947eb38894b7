// Revokes the delegation of an account whose coins a hostile contract takes at once (EIP-7702):
// another account of the user sends the transaction and pays. Two keys sign for one approval, the
// rescued account's its authorization for the zero address, the payer's the transaction. Its call,
// to the rescued account and empty, runs no code unless the chain has skipped the authorization.
// Where assets are to move, too, rescue-assets.ts prepares it.
import type { Chain } from '../chains/chain';
import { fetchDelegation } from '../chains/delegation';
import type { Delegation } from '../chains/delegation';
import type { RequestContext, SigningSteps } from '../context';
import { InvalidParamsError, UnavailableError } from '../errors';
import type { Authorization } from '../eth/authorization';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import {
  findOwnAuthorization,
  signAuthorization,
  toOthersAuthorization,
} from '../eth/delegation';
import type { Hex } from '../eth/hex';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { assertNamed, assertSameChain, assertServed } from '../request';
import { createApproval } from '../sites/approval';
import { HOME_ORIGIN } from '../sites/consent';
import type { AccountRecord } from '../state/account-record';
import { prepareTransaction } from './prepare';
import { prepareMove } from './rescue-assets';
import type { Asset, Move } from './rescue-assets';
import { sendingSteps } from './send';
import type { PreparedSending, Signed } from './send';

/** Accounts by id or address. */
type Wanted = {
  account: string;
  payer: string;
  chainId: ChainId;
  assets?: readonly Asset[];
};

type Rescue = PreparedSending & { rescued: string; move: Move | undefined };

export const rescueSteps: SigningSteps<Wanted, Rescue, readonly Transaction[], Signed> =
  {
    ...sendingSteps,
    prepare: async (
      { account: rescued, payer: named, chainId: id, assets },
      context,
    ) => {
      const { account: payer, origin, scope } = context;
      // The envelope can name another.
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
          `${from} has no coins on ${toCaip2(id)} to pay with. Nothing was signed: choose ` +
            'another payer.',
        );
      }
      const move =
        assets &&
        (await prepareMove(assets, { account, payer: from, nonce, chain }, context));
      const request: TransactionRequest = move?.request ?? {
        from,
        to: authority,
        value: 0n,
        data: '0x',
        chainId: id,
        authorizationList: [toOthersAuthorization(id, { authority, nonce })],
      };
      const title = move ? 'rescue.move' : 'delegation.revoke';
      return {
        filled: await prepareTransaction(request, { id, chain }, context),
        showing: { origin, title, isNonceOpen: true, delegation },
        chain,
        rescued,
        move,
      };
    },
    sign: async (approval, prepared, context) => {
      const { chain, rescued, move } = prepared;
      const [transaction] = approval.use() as [Transaction];
      const shown = findOwnAuthorization(transaction) as Authorization;
      const account = await getRescued(rescued, context);
      if ((await fetchNonce(account.address, chain)) !== shown.nonce) {
        throw new UnavailableError(
          `The nonce of ${account.address} changed while the dialog was open. Nothing was signed: try ` +
            'again.',
        );
      }
      const signAsRescued = context.signAs(account);
      const signed = await signAsRescued(createApproval(shown), signAuthorization);
      const whole = {
        ...transaction,
        ...(move && { data: await move.sign(signAsRescued) }),
        authorizationList: [signed],
      } as Transaction;
      return sendingSteps.sign(createApproval([whole]), prepared, context);
    },
    send: sendForHash,
  };

export async function sendForHash(
  ...sending: Parameters<typeof sendingSteps.send>
): Promise<{ hash: Hex }> {
  return { hash: await sendingSteps.send(...sending) };
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

// Sites name accounts that they were granted, as for any request; the home page any.
async function getRescued(
  named: string,
  { origin, grants, keyring }: RequestContext,
): Promise<AccountRecord> {
  return origin === HOME_ORIGIN
    ? keyring.getRecord(named)
    : grants.require(origin, [named]);
}

/** Fetches the nonce that an authorization of an account needs now. */
export async function fetchNonce(address: Hex, { node }: Chain): Promise<bigint> {
  return BigInt(await node.request('eth_getTransactionCount', [address, 'latest']));
}
