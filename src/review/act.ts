// Describes a request in a few words, for the title of its dialog and the verb on its button. The
// title names the worst known acts, with amounts of known tokens.
import { isSameAddress, isUnlimited, sum, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { capitalize, toRoundedCoins, toRoundedToken } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { findTokenUnit, isCoin } from '../ui/tokens';
import { keyOf } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { findChain } from './documents';
import type { DecodedTypedData } from './documents';
import { isCreation, isRead, listCalls, listOwnCalls } from './effects';
import type {
  Asset,
  CallEffect,
  Description,
  Effect,
  KnownCall,
  Trade,
} from './effects';
import { findUndeclared, hasValue } from './outcome';
import type { Approval, Simulation } from './simulate';

export type Act = {
  /** Writes the act, such as "Send 1.25 ETH". */
  write: (translate: Translate) => string;
  /** The verb on the button, or a descriptor's own word. */
  verb: TextKey | { word: string };
  /** Severity: one of {@link ranks}. */
  rank: number;
  description?: Description;
  /** The assets that the act sends, if it does nothing else. */
  sent?: readonly Asset[];
  /** The limited allowances that the act grants, if it does nothing else. */
  allowed?: readonly Asset[];
};

/** Severities of acts, the worst first. */
const ranks = {
  /** Someone can take everything. */
  control: 4,
  /** Someone can take all of one asset, now and later. */
  unlimited: 3,
  /** Something of value leaves the account. */
  value: 2,
  other: 1,
  unknown: 0,
};

/** Maximum acts in a title, and maximum assets in an act. Further ones are only counted. */
const MAX_TITLE_ACTS = 3;

const APPROVE = 'action.approve';
const ALLOW = 'act.verb.allow';

const EXEC_TRANSACTION = /^execTransaction\(/u;

function plain(key: TextKey, verb: TextKey = APPROVE, rank = ranks.other): Act {
  return { write: (translate) => translate(key), verb, rank };
}

const inControl = (key: TextKey): Act => plain(key, APPROVE, ranks.control);

const REVOCATION = plain('act.revoke', 'act.verb.revoke');

const UNKNOWN = plain('act.unknown', APPROVE, ranks.unknown);

/** Acts that only a warning reveals. */
const actsByWarning: { [Key in TextKey]?: Act } = {
  'alert.upgrade': inControl('act.replaceCode'),
  'alert.delegateCall': inControl('act.runCode'),
  'alert.ownCall': inControl('act.changeAccount'),
  'disguise.authorization': inControl('act.authorize'),
  'warning.authorizations': inControl('act.authorize'),
};

type ActOptions = {
  /** CAIP-2 id. */
  chain: string;
  simulation?: Simulation | undefined;
  warnings: readonly Warning[];
};

export function findAct(
  calls: readonly CallEffect[],
  { chain, simulation, warnings }: ActOptions,
): Act {
  const declared = calls.flatMap((call) => listActs(call, chain));
  const shown =
    typeof simulation === 'object'
      ? addOutcome(declared, simulation, { calls, chain })
      : declared;
  return joinActs([...listWorst(warnings), ...shown], chain);
}

function listWorst(warnings: readonly Warning[]): Act[] {
  return warnings.flatMap((each) => actsByWarning[keyOf(each)] ?? []);
}

// Adds acts that only the simulation shows. They replace acts of unknown functions.
function addOutcome(
  declared: readonly Act[],
  simulation: Exclude<Simulation, string>,
  { calls, chain }: { calls: readonly CallEffect[]; chain: string },
): Act[] {
  const { exchanges, approvals, controls } = findUndeclared(simulation, calls);
  const signer = calls[0]?.from;
  const isSafe = (account: Hex): boolean =>
    listCalls(calls).some(
      ({ to, known }) =>
        to &&
        isSameAddress(to, account) &&
        EXEC_TRANSACTION.test(known?.signature ?? ''),
    );
  const attribute = (account: Hex | undefined, act: Act): Act => {
    if (!account || account === signer) return act;
    return isSafe(account)
      ? toSafeAct(act, chain)
      : plain('act.moveTokens', APPROVE, ranks.value);
  };
  const others = [
    ...(controls.length > 0 ? [inControl('act.control')] : []),
    ...approvals.map((each) => attribute(each.owner, allow(each, chain))),
    ...exchanges
      .filter(({ account }) => account !== signer)
      .map(({ account, losses }) => attribute(account, send(losses, chain))),
  ];
  const losses = simulation.changes.filter(({ amount }) => amount < 0n);
  const signerChanges = {
    losses: raise(losses, [...listValues(calls), ...listSent(declared)], chain),
    gains: simulation.changes.filter((each) => hasValue(each, chain)),
  };
  const isDeclared = exchanges.every(({ account }) => account !== signer);
  const all = addExchange(declared, { ...signerChanges, isDeclared }, chain);
  const isKnown = others.length > 0 || all !== declared;
  return [
    ...others,
    ...(isKnown ? all.filter(({ rank }) => rank > ranks.unknown) : all),
  ];
}

// Adds the signer's losses and valuable gains, in the words of a descriptor if there is one.
function addExchange(
  declared: readonly Act[],
  {
    losses,
    gains,
    isDeclared,
  }: { losses: readonly Asset[]; gains: readonly Asset[]; isDeclared: boolean },
  chain: string,
): readonly Act[] {
  const [description, ...more] = declared.flatMap((each) => each.description ?? []);
  if (more.length > 0 || losses.length + gains.length === 0) return declared;
  const kept = declared.filter(
    (each) => !each.sent && !each.description && each.rank > ranks.unknown,
  );
  // Plain payments are not a trade, whatever the node reports as received.
  if (!declared.some(({ sent }) => sent)) {
    const [only] = losses.length === 1 ? losses : [];
    const allowed =
      only && gains.length > 0 && kept.find((each) => equalsLoss(each, only));
    if (allowed) {
      const both = exchange(losses, gains, { chain, key: 'act.allowAndSwap' });
      return [...kept.filter((each) => each !== allowed), both];
    }
    if (description) {
      return [...kept, describedBy(description, { losses, gains, chain })];
    }
    if (losses.length > 0 && gains.length > 0) {
      return [...kept, exchange(losses, gains, { chain, key: 'act.swapFor' })];
    }
  }
  // The data of a transfer does not say whether a number is an amount or an NFT's id.
  const isNamed = isDeclared && losses.every(({ id }) => id === undefined);
  return isNamed ? declared : [...kept, send(losses, chain, { isDeclared })];
}

// Lists the native currency that the signer's calls send. What a contract sends on is part of it.
function listValues(calls: readonly CallEffect[]): Asset[] {
  return calls.flatMap(({ from, to, value, isDelegate, inside }): Asset[] =>
    isDelegate || isSameAddress(to ?? '', from)
      ? listValues(listOwnCalls(inside))
      : [{ token: ZERO_ADDRESS, amount: value }],
  );
}

function listSent(acts: readonly Act[]): Asset[] {
  return acts.flatMap(({ sent = [] }) => sent).filter(({ token }) => !isCoin(token));
}

// Replaces the losses of a token by the declared payments if those are larger, so that a node
// cannot make a payment look smaller. Numbers of unknown NFTs are ids, not amounts.
function raise(
  losses: readonly Asset[],
  declared: readonly Asset[],
  chain: string,
): Asset[] {
  const isLarger = ({ token }: Asset): boolean => {
    const paid = declared.filter((each) => isSameAddress(each.token, token));
    const lost = losses.filter((each) => isSameAddress(each.token, token));
    const amounts = lost.filter(({ id }) => id === undefined);
    const isKnown = isCoin(token) || findTokenUnit(chain, token);
    const isNft = amounts.length < lost.length && !isKnown;
    return !isNft && addUp(paid) > addUp(amounts);
  };
  return [...declared.filter(isLarger), ...losses.filter((each) => !isLarger(each))];
}

function equalsLoss({ allowed }: Act, { token, amount }: Asset): boolean {
  const [only, ...others] = allowed ?? [];
  return (
    only !== undefined &&
    others.length === 0 &&
    isSameAddress(only.token, token) &&
    only.amount === -amount
  );
}

function exchange(
  losses: readonly Asset[],
  gains: readonly Asset[],
  { chain, key }: { chain: string; key: 'act.swapFor' | 'act.allowAndSwap' },
): Act {
  return {
    write: (translate) =>
      translate(key, {
        given: writeAssets(losses, chain, translate),
        taken: writeAssets(gains, chain, translate),
      }),
    verb: key === 'act.swapFor' ? 'act.verb.swap' : APPROVE,
    rank: ranks.value,
  };
}

export function findDocumentAct(
  typed: DecodedTypedData,
  account: Hex,
  {
    description,
    warnings,
  }: Pick<ActOptions, 'warnings'> & { description?: Description | undefined },
): Act {
  return joinActs(
    [...listWorst(warnings), toDocumentAct(typed, account, description)],
    '',
  );
}

function toDocumentAct(
  typed: DecodedTypedData,
  account: Hex,
  description: Description | undefined,
): Act {
  const { document, shape, allowances, trades, calls, wrapped, message } = typed;
  if (wrapped) return toDocumentAct(wrapped, account, description);
  if (message) return plain(message.signIn ? 'siwe.title' : 'message.title');
  const chain = (document && findChain(document)) ?? '';
  const acts = listOwnCalls(calls).flatMap((call) => listActs(call, chain));
  if (shape?.name === 'safeTransaction') {
    return joinActs(
      acts.map((each) => toSafeAct(each, chain)),
      chain,
    );
  }
  const [trade, ...others] = trades;
  if (typed.isRelayed && !trade && allowances.length === 0) {
    return joinActs(acts, chain);
  }
  if (trade && others.length === 0) return swap(trade, account, chain);
  const title = shape && documentTitles[shape.name];
  if (title && !trade && allowances.length === 0) return title;
  if (description && allowances.length === 0) return describedBy(description);
  if (shape?.name === 'transfer') {
    return send(
      allowances.map(({ token, amount = 0n }) => ({ token, amount })),
      chain,
    );
  }
  if (allowances.length > 0) {
    return joinActs(
      allowances.map((each) => allow(each, chain)),
      chain,
    );
  }
  return plain(trade ? 'act.order' : 'typedData.title');
}

const documentTitles: Readonly<Record<string, Act>> = {
  nftPermit: plain('act.allowNft'),
  order: plain('act.order'),
  sale: plain('act.order'),
  safeOperation: plain('userOperation.title'),
  safeMessage: plain('message.title'),
  delegation: plain('act.delegateAccount'),
  manager: plain('act.delegateAccount'),
  voteDelegation: plain('act.delegateVotes'),
  userOperation: plain('userOperation.title'),
  signIn: plain('siwe.title'),
};

// Names the two worst acts, and the third if its rank is at least `value`.
function joinActs(acts: readonly Act[], chain: string): Act {
  const sending = mergeActs(acts, 'sent', (all, count) => send(all, chain, { count }));
  const merged = mergeActs(sending, 'allowed', (all) => allowAmounts(all, chain));
  const [only = UNKNOWN, ...others] = merged.sort(
    (one, other) => other.rank - one.rank,
  );
  if (others.length === 0) return only;
  const all = [only, ...others];
  return {
    write: (translate) => {
      const texts = [...new Set(all.map(({ write }) => write(translate)))];
      const valueCount = all.filter(({ rank }) => rank >= ranks.value).length;
      const named = texts.slice(0, Math.min(Math.max(2, valueCount), MAX_TITLE_ACTS));
      const act = writeList(named, translate);
      const count = all.length - named.length;
      return count === 0 ? act : translate('act.several', { act, count });
    },
    verb: all.every(({ verb }) => verb === only.verb) ? only.verb : APPROVE,
    rank: only.rank,
  };
}

function mergeActs(
  acts: readonly Act[],
  field: 'sent' | 'allowed',
  toAct: (assets: readonly Asset[], count: number) => Act,
): Act[] {
  const alike = acts.filter((each) => each[field]);
  if (alike.length < 2) return [...acts];
  const all = toAct(
    alike.flatMap((each) => each[field] ?? []),
    alike.length,
  );
  return acts.flatMap((each) => {
    if (each === alike[0]) return [all];
    return each[field] ? [] : [each];
  });
}

function writeList(
  [first = '', ...others]: readonly string[],
  translate: Translate,
): string {
  const { language } = translate;
  const rest = others.map((each) =>
    each.replace(/^\p{Lu}(?=[\p{Ll} ])/u, (letter) =>
      letter.toLocaleLowerCase(language),
    ),
  );
  return new Intl.ListFormat(language).format([first, ...rest]);
}

function listActs(call: CallEffect, chain: string): Act[] {
  const { from, to, value, data, isDelegate, known, inside, description } = call;
  if (call.isRevocation) return [REVOCATION];
  if (to === null || (isCreation(call) && !isDelegate)) {
    return [withValue(plain('act.deploy', 'act.verb.deploy'), value, chain)];
  }
  const coins = { token: ZERO_ADDRESS, amount: value };
  // A delegate call transfers no native currency.
  if (data === '0x' && !isDelegate) return [send([coins], chain)];
  // An unknown function stays unknown, whatever its data contains.
  const ownActs = isRead(call)
    ? inside.flatMap((each) => listEffectActs(each, from, chain))
    : [];
  if (ownActs.length > 0) {
    return value === 0n ? ownActs : [...ownActs, send([coins], chain)];
  }
  const inner = listOwnCalls(inside);
  const acts = inner.flatMap((each) => listActs(each, chain));
  const isClear = acts.length > 0 && acts.every(({ rank }) => rank > ranks.unknown);
  // A descriptor's words are better than inner calls that are only partly known.
  if (description && !isClear) return [describedBy(description)];
  if (known && EXEC_TRANSACTION.test(known.signature)) {
    return acts.map((each) => toSafeAct(each, chain));
  }
  if (acts.length > 0 && inner.every((each) => isSameAddress(each.from, from))) {
    return acts;
  }
  const act = known ? toCallAct(known, to, chain) : UNKNOWN;
  return [withValue(act, value, chain)];
}

function listEffectActs(effect: Effect, signer: Hex, chain: string): Act[] {
  if (effect.kind === 'allow') {
    return effect.mayRevoke ? [] : [allow(effect, chain)];
  }
  if (effect.kind === 'control') {
    return [inControl(effect.isOfAccount ? 'act.delegateAccount' : 'act.control')];
  }
  if (effect.kind !== 'transfer') return [];
  if (!isSameAddress(effect.from, signer)) {
    return [plain('act.moveTokens', APPROVE, ranks.value)];
  }
  const { token, amount } = effect;
  // NFTs have no amount.
  return [send([{ token, amount: amount ?? 0n }], chain)];
}

function toCallAct({ signature, values }: KnownCall, to: Hex, chain: string): Act {
  const [name = signature] = signature.split('(');
  // An allowance of zero revokes. On an unknown contract, it may also approve NFT 0.
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

/** Creates the act of sending assets in `count` payments. NFTs count as given away unless the calls
 * declare the payment. */
function send(
  sent: readonly Asset[],
  chain: string,
  { count = 1, isDeclared = false } = {},
): Act {
  const isGiving = !isDeclared && sent.some(({ id }) => id !== undefined);
  const write = (translate: Translate): string => {
    const amount = writeAssets(sent, chain, translate);
    if (isGiving) return translate('act.give', { assets: amount });
    const [first] = sent;
    const isOneToken = sent.every(({ token }) => token === first?.token);
    return count > 1 && isOneToken
      ? translate('act.sendEach', { amount, count })
      : translate('act.send', { amount });
  };
  return { write, verb: 'act.verb.send', rank: ranks.value, sent };
}

// NFTs come first, because their worth is unknown. Native currency comes last, because it can be a
// fee.
function writeAssets(
  assets: readonly Asset[],
  chain: string,
  translate: Translate,
): string {
  const nfts = assets.filter(({ id }) => id !== undefined);
  const coins = assets.filter(({ id, token }) => id === undefined && isCoin(token));
  const tokens = assets.filter(({ id, token }) => id === undefined && !isCoin(token));
  const texts = [
    ...(nfts.length > 0 ? [writeNfts(nfts, translate)] : []),
    ...new Set(
      tokens.map(({ token }) => writeTokens(tokens, token, { chain, translate })),
    ),
    ...(coins.length > 0 ? [toRoundedCoins(addUp(coins), translate, chain)] : []),
  ];
  const count = texts.length - MAX_TITLE_ACTS;
  if (count <= 0) return new Intl.ListFormat(translate.language).format(texts);
  const act = texts.slice(0, MAX_TITLE_ACTS).join(', ');
  return translate('act.several', { act, count });
}

function writeNfts(nfts: readonly Asset[], translate: Translate): string {
  const count = addUp(nfts);
  return count === 1n
    ? translate('changes.nft', { id: String(nfts[0]?.id) })
    : translate('act.nfts', { count });
}

function writeTokens(
  all: readonly Asset[],
  token: Hex,
  { chain, translate }: { chain: string; translate: Translate },
): string {
  const unit = findTokenUnit(chain, token);
  if (!unit) return translate('act.tokens');
  const amount = addUp(all.filter((each) => isSameAddress(each.token, token)));
  return toRoundedToken(amount, unit, translate);
}

function addUp(assets: readonly Asset[]): bigint {
  return sum(assets.map(({ amount }) => (amount < 0n ? -amount : amount)));
}

function allow({ token, amount, id }: Omit<Approval, 'spender'>, chain: string): Act {
  if (id !== undefined) return plain('act.allowNft', ALLOW, ranks.value);
  if (amount === undefined) return plain('act.allowAll', ALLOW, ranks.unlimited);
  if (!isUnlimited(amount)) return allowAmounts([{ token, amount }], chain);
  const act = plain('act.allowUnlimited', ALLOW, ranks.unlimited);
  const { symbol } = findTokenUnit(chain, token) ?? {};
  if (symbol === undefined) return act;
  return {
    ...act,
    write: (translate) => translate('act.allowUnlimitedOf', { token: symbol }),
  };
}

function allowAmounts(allowed: readonly Asset[], chain: string): Act {
  return {
    write: (translate) =>
      translate('act.allow', { amount: writeAssets(allowed, chain, translate) }),
    verb: ALLOW,
    rank: ranks.other,
    allowed,
  };
}

// Names both sides if each is one known token and the account itself gets the proceeds.
function swap({ gives, gets }: Trade, account: Hex, chain: string): Act {
  const write = (translate: Translate): string => {
    const [given, taken] = [gives, gets].map(([asset, ...others]) => {
      const isOwn = !asset?.to || isSameAddress(asset.to, account);
      if (!asset || asset.id !== undefined || others.length > 0 || !isOwn) return '';
      return isCoin(asset.token) || findTokenUnit(chain, asset.token)
        ? writeAssets([asset], chain, translate)
        : '';
    });
    return given && taken
      ? translate('act.swap', { given, taken })
      : translate('act.order');
  };
  return { write, verb: APPROVE, rank: ranks.value };
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

function toSafeAct({ write, sent, rank }: Act, chain: string): Act {
  return {
    rank,
    write: (translate) =>
      sent && sent.every(({ id }) => id === undefined)
        ? translate('act.safeSends', { amount: writeAssets(sent, chain, translate) })
        : translate('act.ofSafe', { act: write(translate) }),
    verb: APPROVE,
  };
}

const MAX_VERB = 12;

function describedBy(
  description: Description,
  {
    losses = [],
    gains = [],
    chain = '',
  }: { losses?: readonly Asset[]; gains?: readonly Asset[]; chain?: string } = {},
): Act {
  const intent = capitalize(description.intent);
  const [word = ''] = intent.split(' ');
  const lead = word === intent ? intent : `${intent}:`;
  return {
    write: (translate) => {
      const [given, taken] = [losses, gains].map((assets) =>
        assets.length > 0 ? writeAssets(assets, chain, translate) : undefined,
      );
      if (given && taken) {
        return translate('act.describedFor', { intent: lead, given, taken });
      }
      return given || taken ? `${lead} ${given ?? taken}` : intent;
    },
    verb: /^\p{L}+$/u.test(word) && word.length <= MAX_VERB ? { word } : APPROVE,
    rank: ranks.value,
    description,
  };
}
