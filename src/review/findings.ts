// What a signer should know about the effects of a request, as one table of finders. A warning does not
// depend on how deep an effect lies, nor on how its calldata are laid out.
import { isNever, isSameAddress, isUnlimited, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { multiSends } from '../eth/smart-account';
import { danger, info, warning } from '../ui/warnings';
import type { NumberedWarning, Warning } from '../ui/warnings';
import { listEffects } from './effects';
import type { CallEffect, Effect } from './effects';

/** Whose request it is. */
export type Signer = {
  /** The code that the account runs, so that a call of itself does something; undefined if that is
   * not known. */
  code?: Hex | undefined;
};

type Finder<Kind extends Effect['kind']> = (
  effect: Extract<Effect, { kind: Kind }>,
  signer: Signer,
) => Warning[];

const finders: { [Kind in Effect['kind']]: Finder<Kind> } = {
  call: ({ from, to, value, data, isDelegate, known, inside }, { code }) => {
    if (to === null) {
      return value > 0n
        ? [warning('alert.creationValue', { value: { coins: value } })]
        : [];
    }
    if (isDelegate) {
      // Its code does nothing but make the calls that are shown.
      const isBatch =
        known?.signature === 'multiSend(bytes)' &&
        multiSends.some((each) => isSameAddress(each, to));
      return isBatch
        ? []
        : [danger('alert.delegateCall', { address: to, account: from })];
    }
    if (isSameAddress(to, ZERO_ADDRESS)) {
      if (value > 0n) return [danger('alert.nobody', { value: { coins: value } })];
      return data === '0x' ? [] : [warning('alert.dataToNobody')];
    }
    if (!isSameAddress(to, from) || data === '0x') return [];
    if (code === '0x') return [warning('alert.ownData')];
    if (known?.signature.startsWith('upgradeTo')) return [danger('alert.upgrade')];
    // The calls that it makes are judged separately.
    const isRead = inside.some(({ kind }) => kind === 'call');
    return isRead ? [] : [danger('alert.ownCall')];
  },
  transfer: ({ by, token, from, to }) => [
    ...(isSameAddress(to, ZERO_ADDRESS) ? [danger('alert.tokensToNobody')] : []),
    ...(isSameAddress(to, token) ? [danger('alert.tokensToContract')] : []),
    ...(isSameAddress(from, by)
      ? []
      : [warning('alert.othersTokens', { owner: from })]),
  ],
  allow: ({ token, spender, amount, expiration = 0n }) => {
    if (amount === undefined) return [danger('alert.operator', { operator: spender })];
    return [
      ...(isUnlimited(amount)
        ? [
            warning('alert.unlimited', {
              spender: { short: spender },
              token: { token },
            }),
          ]
        : []),
      ...(isNever(expiration) ? [warning('typed.noDeadline')] : []),
    ];
  },
  // Of the account itself all calls are warned of.
  control: ({ by, of, signature }) =>
    isSameAddress(by, of) ? [] : [warning('alert.control', { function: signature })],
  // Zero takes such a permission back. What the user asked us for is of our table.
  delegate: ({ to, isOwn, of }) => {
    if (of) return [info('rescue.meaning', { account: of })];
    const isRevoking = isSameAddress(to, ZERO_ADDRESS);
    if (isOwn) {
      return [isRevoking ? info('delegation.revokes') : warning('delegation.allows')];
    }
    return [isRevoking ? info('alert.revocation') : danger('warning.authorizations')];
  },
  opaque: ({ why, signature }) => {
    if (why === 'too much') return [danger('alert.tooMuch')];
    return why === 'malformed'
      ? [danger('alert.unread', { function: signature })]
      : [warning('alert.embedded', { function: signature })];
  },
};

/** Finds what a signer should know about effects and all that is inside of them. */
export function findWarnings(
  effects: readonly Effect[],
  signer: Signer = {},
): Warning[] {
  const all = listEffects(effects).flatMap((effect) => {
    const find = finders[effect.kind] as Finder<Effect['kind']>;
    return find(effect, signer);
  });
  return listDistinct(all);
}

/** Finds what a signer should know about each of some calls. */
export function findWarningsOfEach(
  calls: readonly CallEffect[],
  signer: Signer = {},
): NumberedWarning[] {
  return calls.flatMap((call, index) =>
    findWarnings([call], signer).map((each) => ({ warning: each, number: index + 1 })),
  );
}

/** Removes duplicates. */
export function listDistinct(warnings: readonly Warning[]): Warning[] {
  const distinct = new Map(
    warnings.map((each) => [
      JSON.stringify(each, (_name, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      ),
      each,
    ]),
  );
  return [...distinct.values()];
}
