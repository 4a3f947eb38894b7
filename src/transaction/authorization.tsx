// wallet_signAuthorization [{ address, account?, chainId?, nonce? }] → { chainId, address, nonce,
// yParity, r, s }: signs that an account's delegation is removed, for others to include (EIP-7702).
// The address is the zero address: with any other, whose code acts for the account would be for
// the site to say.
import { Section } from '@metamask/snaps-sdk/jsx';
import { exactOptional, tuple } from '@metamask/superstruct';

import { fetchDelegation } from '../chains/delegation';
import type { Delegation } from '../chains/delegation';
import { defineMethod } from '../context';
import { UnsupportedMethodError } from '../errors';
import {
  agree,
  AuthorizationNonceStruct,
  toAuthorizationJson,
} from '../eth/authorization';
import type { Authorization } from '../eth/authorization';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import { signAuthorization, toRevocation } from '../eth/delegation';
import { AddressStruct, isSameAddress, toPaddedHex, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { AccountStruct, chooseChain } from '../request';
import { describeUnknown } from '../routes';
import { parse } from '../schema/parse';
import { paramObject } from '../schema/structs';
import { showing } from '../sites/dialogs';
import { toPagedView } from '../ui/confirmation';
import type { PagedView } from '../ui/confirmation';
import type { Translate } from '../ui/i18n';
import { info, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { assertNamed, fetchNonce } from './rescue';
import { drawOwnDelegation } from './view';

const METHOD = 'wallet_signAuthorization';

const ROOT = `${METHOD}: params`;

/** `contractAddress` is viem's other name of the address. */
export const SignAuthorizationParamsStruct = tuple([
  paramObject({
    account: exactOptional(AccountStruct),
    address: exactOptional(AddressStruct),
    contractAddress: exactOptional(AddressStruct),
    chainId: exactOptional(ChainIdStruct),
    nonce: exactOptional(AuthorizationNonceStruct),
  }),
]);

export const walletSignAuthorization = defineMethod({
  parse: (params) => {
    const [wanted] = parse(params, SignAuthorizationParamsStruct, ROOT);
    const { address, contractAddress, ...others } = wanted;
    const delegate = agree({ address, contractAddress }, `${ROOT}[0]`);
    if (delegate !== undefined && isSameAddress(delegate, ZERO_ADDRESS)) return others;
    throw new UnsupportedMethodError(describeUnknown(METHOD));
  },
  accounts: ({ account }) => (account === undefined ? [] : [account as Hex]),
  countCalls: () => 1,
  prepare: async ({ account: named, chainId, nonce: given }, context) => {
    const { account, origin } = context;
    if (named !== undefined) assertNamed('account', named, account);
    const id = await chooseChain({ ...context, named: chainId });
    const chain = await context.connect(id);
    const { address } = account;
    const [delegation, current] = await Promise.all([
      fetchDelegation(chain.node, address),
      fetchNonce(address, chain),
    ]);
    const nonce = given ?? current;
    const content = toRevocation(id, { authority: address, nonce });
    const values = { nonce, current };
    const warnings = [
      ...(nonce === current ? [] : [warning('authorization.void', values)]),
      info('authorization.meaning'),
    ];
    return {
      content,
      view: { origin, account: address, content, delegation, warnings },
    };
  },
  review: ({ content, view }) =>
    showing(content, (translate) => AuthorizationConfirmation({ translate, ...view }), [
      { kind: 'delegate', to: ZERO_ADDRESS, isOwn: true },
    ]),
  sign: async (approval, _prepared, { sign }) =>
    toSignedJson(await sign(approval, signAuthorization)),
});

/** Converts a signed authorization for sites. */
export function toSignedJson(signed: Authorization): Record<string, Hex> {
  return {
    ...toAuthorizationJson(signed),
    r: toPaddedHex(signed.r, 32),
    s: toPaddedHex(signed.s, 32),
  };
}

function toUnsigned(authorization: Authorization): Record<string, Hex> {
  const { chainId, address, nonce } = toAuthorizationJson(authorization);
  return { chainId, address, nonce };
}

/** Draws what is signed. */
export function AuthorizationConfirmation({
  translate,
  content,
  delegation,
  ...frame
}: {
  translate: Translate;
  origin: string;
  account: Hex;
  content: Authorization;
  delegation: Delegation | undefined;
  warnings: readonly Warning[];
}): PagedView {
  const chain = toCaip2(content.chainId);
  return toPagedView({
    ...{ ...frame, translate, chain, title: translate('authorization.title') },
    pages: [
      () => [
        <Section>
          {drawOwnDelegation({
            ...{ own: content, delegation, translate, chain },
          })}
        </Section>,
      ],
    ],
    raw: JSON.stringify(toUnsigned(content)),
  });
}
