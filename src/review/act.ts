// What a request does, in a few words: the title of its dialog and the verb on the button that
// approves it. Both come from the effects, and from the simulation where it shows more. An amount is named
// where people know the token.
import { isSameAddress, isUnlimited, sum, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { capitalize, toRoundedCoins, toRoundedToken } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { findTokenUnit, isCoin } from '../ui/tokens';
import { findChain } from './documents';
import type { DecodedTypedData } from './documents';
import { isCreation, listCalls, listOwnCalls } from './effects';
import type {
  Asset,
  CallEffect,
  Description,
  Effect,
  KnownCall,
  Trade,
} from './effects';
import { findUnsaid, isOfValue } from './outcome';
import type { Approval, Exchange, Simulation } from './simulate';

export type Act = {
  /** Writes it in a few words, such as "Send 1.25 ETH". */
  write: (translate: Translate) => string;
  verb: TextKey;
  /** Whether the words are those of a descriptor. */
  isDescribed?: true;
  /** Writes the sent asset, if sending it is the only effect. */
  sent?: (translate: Translate) => string;
  /** Whether it does not say what it does. */
  isOpen?: true;
};

const SIGN = 'action.approve';

/** A Safe's own function, by which an owner has it act. */
const SAFE = /^execTransaction\(/u;

const plain = (key: TextKey, verb: TextKey = SIGN): Act => ({
  write: (translate) => translate(key),
  verb,
});

const REVOCATION = plain('act.revoke', 'act.verb.revoke');

const UNKNOWN: Act = { ...plain('act.unknown'), isOpen: true };

/** Finds what calls do. `chain` is CAIP-2. */
export function findAct(
  calls: readonly CallEffect[],
  chain: string,
  simulation?: Simulation,
): Act {
  const isPaying = calls.every(({ to, data }) => to !== null && data === '0x');
  const shown = listUnsaid(calls, chain, simulation);
  if (calls.length < 2 || !isPaying || shown.length > 0) {
    const said = calls.flatMap((call) => listActs(call, chain));
    // What an unknown function does takes the place of its name.
    const others = shown.length > 0 ? said.filter(({ isOpen }) => !isOpen) : said;
    return join([...shown, ...others]);
  }
  const total = sum(calls.map(({ value }) => value));
  return {
    write: (translate) =>
      translate('act.sendEach', {
        amount: toRoundedCoins(total, translate, chain),
        count: calls.length,
      }),
    verb: 'act.verb.send',
  };
}

// What the simulation shows beyond what the calls say.
function listUnsaid(
  calls: readonly CallEffect[],
  chain: string,
  simulation: Simulation | undefined,
): Act[] {
  if (typeof simulation !== 'object') return [];
  const { exchanges, approvals, controls } = findUnsaid(simulation, calls);
  const [signer] = calls.map(({ from }) => from);
  const isSafe = (account: Hex): boolean =>
    listCalls(calls).some(
      ({ to, known }) =>
        to && isSameAddress(to, account) && SAFE.test(known?.signature ?? ''),
    );
  const of = (account: Hex | undefined, acts: Act[]): Act[] => {
    if (!account || account === signer) return acts;
    return isSafe(account) ? acts.map(ofSafe) : [plain('act.moveTokens')];
  };
  // Of several, the title names the first.
  return [
    ...(controls.length > 0 ? [plain('act.control')] : []),
    ...approvals.flatMap((each) => of(each.owner, [allow(each, chain)])),
    ...exchanges.flatMap((each) => of(each.account, exchange(each, chain))),
  ];
}

// NFTs first: nobody can tell what they are worth.
function exchange({ losses, arrivals }: Exchange, chain: string): Act[] {
  const nfts = losses.filter(({ id }) => id !== undefined);
  const tokens = losses.filter(({ id }) => id === undefined);
  const send = (each: Asset): Act => sendAsset(each, chain);
  const acts = [...(nfts.length > 0 ? [give(nfts)] : []), ...tokens.map(send)];
  const gains = arrivals.filter((each) => isOfValue(each, chain)).map(send);
  const [given, taken] = [acts[0]?.sent, gains[0]?.sent];
  if (!given || !taken || acts.length + gains.length > 2) return acts;
  const write = (translate: Translate): string =>
    translate('act.swapFor', { given: given(translate), taken: taken(translate) });
  return [{ write, verb: SIGN }];
}

function give(nfts: readonly Asset[]): Act {
  const sent = (translate: Translate): string =>
    nfts.length > 1
      ? translate('act.nfts', { count: nfts.length })
      : translate('changes.nft', { id: String(nfts[0]?.id) });
  const write = (translate: Translate): string =>
    translate('act.give', { assets: sent(translate) });
  return { write, verb: 'act.verb.send', sent };
}

function sendAsset({ token, amount }: Asset, chain: string): Act {
  const size = amount < 0n ? -amount : amount;
  return isCoin(token) ? sendCoins(size, chain) : sendTokens(token, size, chain);
}

export function findDocumentAct(
  typed: DecodedTypedData,
  account: Hex,
  description?: Description,
): Act {
  const { document, shape, allowances, trades, calls, wrapped, message } = typed;
  if (wrapped) return findDocumentAct(wrapped, account, description);
  if (message) return plain(message.signIn ? 'siwe.title' : 'message.title');
  const chain = (document && findChain(document)) ?? '';
  const acts = listOwnCalls(calls).flatMap((call) => listActs(call, chain));
  if (shape?.name === 'safeTransaction') return join(acts.map(ofSafe));
  const [trade, ...others] = trades;
  if (typed.isRelayed && !trade && allowances.length === 0) return join(acts);
  if (trade && others.length === 0) return swap(trade, account, chain);
  if (description && allowances.length === 0) return describedBy(description);
  if (shape?.name === 'transfer') {
    return join(
      allowances.map(({ token, amount }) => sendTokens(token, amount, chain)),
    );
  }
  if (allowances.length > 0) {
    return join(allowances.map((each) => allow(each, chain)));
  }
  return plain(documentTitles[shape?.name ?? ''] ?? 'typedData.title');
}

const documentTitles: Readonly<Record<string, TextKey>> = {
  nftPermit: 'act.allowNft',
  order: 'act.order',
  sale: 'act.order',
  safeOperation: 'userOperation.title',
  safeMessage: 'message.title',
  delegation: 'act.delegateAccount',
  manager: 'act.delegateAccount',
  voteDelegation: 'act.delegateVotes',
  userOperation: 'userOperation.title',
  signIn: 'siwe.title',
};

// What comes first, and how much more there is.
function join([first = UNKNOWN, ...others]: readonly Act[]): Act {
  if (others.length === 0) return first;
  const { verb } = first;
  return {
    write: (translate) =>
      translate('act.several', { act: first.write(translate), count: others.length }),
    verb: others.every((each) => each.verb === verb) ? verb : SIGN,
  };
}

function listActs(call: CallEffect, chain: string): Act[] {
  const { from, to, value, data, isDelegate, known, inside, description } = call;
  if (call.isRevocation) return [REVOCATION];
  if (to === null || (isCreation(call) && !isDelegate)) {
    return [withValue(plain('act.deploy', 'act.verb.deploy'), value, chain)];
  }
  // Code that runs as the account gets no coins.
  if (data === '0x' && !isDelegate) return [sendCoins(value, chain)];
  // The effect of an unknown function is unknown, whatever its data contain.
  const own = known ? inside.flatMap((each) => listOwn(each, from, chain)) : [];
  if (own.length > 0) return value === 0n ? own : [...own, sendCoins(value, chain)];
  if (description) return [describedBy(description)];
  const inner = listOwnCalls(inside);
  const acts = inner.flatMap((each) => listActs(each, chain));
  if (known && SAFE.test(known.signature)) return acts.map(ofSafe);
  if (acts.length > 0 && inner.every((each) => isSameAddress(each.from, from))) {
    return acts;
  }
  const act = known ? callOf(known, to, chain) : UNKNOWN;
  return [withValue(act, value, chain)];
}

function listOwn(effect: Effect, signer: Hex, chain: string): Act[] {
  if (effect.kind === 'allow') {
    // It may be nothing but a revocation.
    if (effect.mayRevoke) return [];
    return [
      effect.id === undefined
        ? allow(effect, chain)
        : plain('act.allowNft', 'act.verb.allow'),
    ];
  }
  if (effect.kind === 'control') {
    return [plain(effect.isOfAccount ? 'act.delegateAccount' : 'act.control')];
  }
  if (effect.kind !== 'transfer') return [];
  const isOwn = isSameAddress(effect.from, signer);
  const { token, amount } = effect;
  return [isOwn ? sendTokens(token, amount, chain) : plain('act.moveTokens')];
}

function callOf({ signature, values }: KnownCall, to: Hex, chain: string): Act {
  const [name = signature] = signature.split('(');
  // An allowance of nothing takes one back; of another contract it may be one of NFT 0.
  const isRevoking =
    (name === 'setApprovalForAll' && values?.[1] === false) ||
    (name === 'approve' &&
      (values?.length === 4
        ? values[2] === 0n
        : values?.[0] === ZERO_ADDRESS ||
          (values?.[1] === 0n && findTokenUnit(chain, to) !== undefined)));
  return isRevoking
    ? REVOCATION
    : { ...UNKNOWN, write: (translate) => translate('act.call', { function: name }) };
}

function send(sent: (translate: Translate) => string): Act {
  return {
    write: (translate) => translate('act.send', { amount: sent(translate) }),
    verb: 'act.verb.send',
    sent,
  };
}

function sendCoins(value: bigint, chain: string): Act {
  return send((translate) => toRoundedCoins(value, translate, chain));
}

function sendTokens(token: Hex, amount: bigint | undefined, chain: string): Act {
  const unit = findTokenUnit(chain, token);
  return unit && amount !== undefined
    ? send((translate) => toRoundedToken(amount, unit, translate))
    : plain('act.sendTokens', 'act.verb.send');
}

function allow({ token, amount, id }: Omit<Approval, 'spender'>, chain: string): Act {
  if (id !== undefined) return plain('act.allowNft', 'act.verb.allow');
  const unit = findTokenUnit(chain, token);
  const write = (translate: Translate): string => {
    if (amount === undefined) return translate('act.allowAll');
    const isAll = isUnlimited(amount);
    if (!unit) return translate(isAll ? 'act.allowUnlimited' : 'act.allowTokens');
    return isAll
      ? translate('act.allowUnlimitedOf', { token: unit.symbol })
      : translate('act.allow', { amount: toRoundedToken(amount, unit, translate) });
  };
  return { write, verb: 'act.verb.allow' };
}

// Both sides are named where people know them, and where the account gets all of the other.
function swap({ gives, gets }: Trade, account: Hex, chain: string): Act {
  const write = (translate: Translate): string => {
    const [given, taken] = [gives, gets].map(([asset, ...others]) => {
      const isOwn = !asset?.to || isSameAddress(asset.to, account);
      if (!asset || asset.id !== undefined || others.length > 0 || !isOwn) return '';
      return writeKnown(asset, chain, translate);
    });
    return given && taken
      ? translate('act.swap', { given, taken })
      : translate('act.order');
  };
  return { write, verb: SIGN };
}

function writeKnown(
  { token, amount }: Asset,
  chain: string,
  translate: Translate,
): string {
  if (isSameAddress(token, ZERO_ADDRESS)) {
    return toRoundedCoins(amount, translate, chain);
  }
  const unit = findTokenUnit(chain, token);
  return unit ? toRoundedToken(amount, unit, translate) : '';
}

function withValue(act: Act, value: bigint, chain: string): Act {
  if (value === 0n) return act;
  return {
    ...act,
    write: (translate) =>
      translate('act.withValue', {
        act: act.write(translate),
        amount: toRoundedCoins(value, translate, chain),
      }),
  };
}

function ofSafe({ write, sent, isOpen }: Act): Act {
  return {
    ...(isOpen && { isOpen }),
    write: (translate) =>
      sent
        ? translate('act.safeSends', { amount: sent(translate) })
        : translate('act.ofSafe', { act: write(translate) }),
    verb: SIGN,
  };
}

function describedBy({ intent }: Description): Act {
  return { write: () => capitalize(intent), verb: SIGN, isDescribed: true };
}
