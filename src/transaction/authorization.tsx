// wallet_signAuthorization [{ address, account?, chainId?, nonce? }] → { chainId, address, nonce,
// yParity, r, s }: signs an authorization that removes an account's delegation (EIP-7702), and that
// others can include in a transaction. Only the zero address is allowed: with any other, the site
// would choose the code that acts for the account.
import { Section } from '@metamask/snaps-sdk/jsx';
import { exactOptional, tuple } from '@metamask/superstruct';

import { fetchDelegation } from '../chains/delegation';
import { defineMethod } from '../context';
import { toAuthorizationJson } from '../core/authorization';
import { UnsupportedMethodError } from '../core/errors';
import type { Authorization, SigningTask } from '../core/payload';
import { AuthorizationNonceStruct } from '../eth/authorization';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import { toOthersAuthorization } from '../eth/delegation';
import { AddressStruct, isSameAddress, toPaddedHex, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { AccountStruct, assertNamed, chooseChain } from '../request';
import { describeUnknown } from '../routes';
import { parse } from '../schema/parse';
import { paramObject } from '../schema/structs';
import { toConfirmation } from '../sites/consent';
import type { Draw } from '../sites/consent';
import { toAccountRef } from '../state/account-record';
import { toPagedView } from '../ui/confirmation';
import { info, warning } from '../ui/warnings';
import { fetchNonce } from './rescue';
import { drawOwnDelegation } from './view';

const METHOD = 'wallet_signAuthorization';

export const SignAuthorizationParamsStruct = tuple([
  paramObject({
    account: exactOptional(AccountStruct),
    address: AddressStruct,
    chainId: exactOptional(ChainIdStruct),
    nonce: exactOptional(AuthorizationNonceStruct),
  }),
]);

export const walletSignAuthorization = defineMethod({
  parse: (params) => {
    const [wanted] = parse(params, SignAuthorizationParamsStruct, `${METHOD}: params`);
    if (isSameAddress(wanted.address, ZERO_ADDRESS)) return wanted;
    throw new UnsupportedMethodError(describeUnknown(METHOD));
  },
  accounts: ({ account }) => (account === undefined ? [] : [account as Hex]),
  countCalls: () => 1,
  prepare: async ({ account: named, chainId, nonce: given }, context) => {
    const { account } = context;
    if (named !== undefined) assertNamed(account, named, 'account');
    const id = await chooseChain(context, chainId);
    const chain = await context.connect(id);
    const [delegation, current] = await Promise.all([
      fetchDelegation(chain.node, account.address),
      fetchNonce(account.address, chain),
    ]);
    const { address: authority } = account;
    const own = toOthersAuthorization(id, { authority, nonce: given ?? current });
    return { own, delegation, current };
  },
  review: ({ own, delegation, current }, { account, origin }) => {
    const { nonce } = own;
    const chain = toCaip2(own.chainId);
    const { chainId, address, nonce: next } = toAuthorizationJson(own);
    const draw: Draw = (translate) =>
      toPagedView({
        translate,
        origin,
        account: account.address,
        chain,
        title: translate('authorization.title'),
        approve: 'authorization.title',
        warnings: [
          ...(nonce === current
            ? []
            : [warning('authorization.void', { nonce, current })]),
          info('authorization.meaning'),
        ],
        pages: [
          () => [
            <Section>
              {drawOwnDelegation({ own, delegation, translate, chain })}
            </Section>,
          ],
        ],
        raw: JSON.stringify({ chainId, address, nonce: next }),
      });
    const task: SigningTask = {
      account: toAccountRef(account),
      payload: { kind: 'authorization', authorization: own },
    };
    return toConfirmation([task], draw, [
      { kind: 'delegate', to: ZERO_ADDRESS, isOwn: true },
    ]);
  },
  sign: async (approval, _prepared, { core }) =>
    toSignedJson(await core.signAuthorization(approval)),
});

export function toSignedJson(signed: Authorization): Record<string, Hex> {
  const { r, s } = signed;
  return {
    ...toAuthorizationJson(signed),
    r: toPaddedHex(r, 32),
    s: toPaddedHex(s, 32),
  };
}
