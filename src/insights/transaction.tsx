// onTransaction: the insight in the wallet's own confirmation of a transaction. It shows everything
// that deserves a second look, and compares the fees with the market's. MetaMask requests it once,
// when the transaction is added. It never throws, and never delays the confirmation.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnTransactionResponse } from '@metamask/snaps-sdk';
import { Box, Section } from '@metamask/snaps-sdk/jsx';
import type { GenericSnapElement, JSXElement } from '@metamask/snaps-sdk/jsx';
import {
  enums,
  literal,
  nullable,
  optional,
  type,
  union,
  unknown,
} from '@metamask/superstruct';

import {
  startDeadline,
  tryInTime,
  unlessAborted,
} from '../../packages/client/src/abort';
import type { Chain } from '../chains/chain';
import type { InsightContext } from '../context';
import { findImplementation } from '../core/authorization';
import { toCaip2, toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toDelegatedCode } from '../eth/delegation';
import {
  findQuantity,
  isSameAddress,
  NodeAddressStruct,
  NodeBytesStruct,
  toQuantity,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findFeeWarnings } from '../fees/guard-rails';
import { compareFees } from '../fees/level';
import type { FeeLevels } from '../fees/level';
import type { CoinPrice } from '../fees/prices';
import type { CallEffect } from '../review/effects';
import { warnOfNewAccount } from '../review/facts';
import { readCall } from '../review/read';
import { getOutlook, reviewCalls } from '../review/review';
import type { Review } from '../review/review';
import {
  drawCallFold,
  drawCallData,
  drawInner,
  drawRecipients,
  selectFittingCalls,
  isInner,
} from '../review/screen/calls';
import { drawChanges, writeWorth } from '../review/screen/changes';
import { drawEnglish } from '../review/screen/description';
import { drawDigestFold, getCalldataDigest } from '../review/screen/digests';
import type { Digest } from '../review/screen/digests';
import type { BalanceChanges } from '../review/simulate';
import { validate } from '../schema/parse';
import { list } from '../schema/structs';
import { warnOfSameNonce } from '../transaction/prepare';
import { drawNotices, drawRows, ifKnown } from '../ui/components';
import { toShownDecimal, toShownDuration, toShownPercent } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { danger, info, listFound, printWarnings, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';

// The wallet shows a transaction to a snap before its confirmation. Fields may be missing or empty
// while they are unknown, such as the gas of a call whose estimate failed.

/** The known fields of a transaction. Fees and value are in wei. */
export type InsightTransaction = {
  from: Hex;
  to: Hex | null;
  value: bigint;
  data: Hex;
  /** Undefined while unknown, usually until the transaction is confirmed. */
  nonce: bigint | undefined;
  gasLimit: bigint | undefined;
  /** Contracts that the sender delegates to (EIP-7702). The last one takes effect, and the zero
   * address revokes the delegation. The wallet accepts no authorizations by other accounts.
   * Undefined if the authorizations cannot be read. */
  delegates: readonly Hex[] | undefined;
  /** Per unit of gas. A gas price stands for both fees, and the maximum fee for a missing priority
   * fee. */
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | undefined;
};

const AuthorizationsStruct = list(type({ address: NodeAddressStruct }), { max: 100 });

const ShownTransactionStruct = type({
  from: NodeAddressStruct,
  authorizationList: optional(unknown()),
  to: optional(nullable(union([enums(['', '0x']), NodeAddressStruct]))),
  value: optional(unknown()),
  data: optional(nullable(union([literal(''), NodeBytesStruct]))),
  nonce: optional(unknown()),
  gas: optional(unknown()),
  gasPrice: optional(unknown()),
  maxFeePerGas: optional(unknown()),
  maxPriorityFeePerGas: optional(unknown()),
});

export function findInsightTransaction(shown: unknown): InsightTransaction | undefined {
  const read = validate(shown, ShownTransactionStruct);
  if (!('value' in read)) return undefined;
  const { from, to = null, value, data, nonce, gas, gasPrice, ...dynamic } = read.value;
  const price = findQuantity(gasPrice);
  const maxFeePerGas = findQuantity(dynamic.maxFeePerGas) ?? price;
  const maxPriorityFeePerGas =
    findQuantity(dynamic.maxPriorityFeePerGas) ?? maxFeePerGas;
  return {
    from,
    to: to === '' || to === '0x' ? null : to,
    value: findQuantity(value) ?? 0n,
    data: data === '' ? '0x' : (data ?? '0x'),
    nonce: findQuantity(nonce),
    gasLimit: findQuantity(gas),
    delegates: readDelegates(dynamic.authorizationList),
    fees:
      maxFeePerGas === undefined || maxPriorityFeePerGas === undefined
        ? undefined
        : { maxFeePerGas, maxPriorityFeePerGas },
  };
}

function readDelegates(given: unknown): Hex[] | undefined {
  if (given === undefined || given === null) return [];
  const read = validate(given, AuthorizationsStruct);
  return 'value' in read ? read.value.map(({ address }) => address) : undefined;
}

type FeeInsight = NonNullable<ReturnType<typeof toFeeInsight>>;

type TransactionInsight = {
  translate: Translate;
  /** CAIP-2. */
  chain: string;
  warnings: readonly Warning[];
  fees: FeeInsight | undefined;
  call?: CallEffect | undefined;
  simulation?: BalanceChanges | undefined;
  digests?: readonly Digest[];
};

/** From this many tenths of the high level on, fees are shown as a multiple of it. */
const MULTIPLE_FROM_TENTHS = 15n;

/** The contract to which MetaMask delegates accounts. MetaMask's own confirmation names it. */
const METAMASK_DELEGATE = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B';

/** Minimum gas as a percentage of an estimate, because the state can change before inclusion. */
const LEAST_GAS_PERCENT = 110n;

/** Maximum time to wait for the node, in ms, while the wallet's confirmation is open. */
const TIME_LIMIT_MS = 1_500;

/** Maximum further time to wait for calls in another block, in ms, after all other requests. */
const OTHER_BLOCK_MS = 300;

/** Describes a transaction; null if there is nothing to report, or if it cannot be described. */
export async function handleTransaction(
  { transaction: shown, chainId: chain }: { transaction: unknown; chainId: string },
  context: InsightContext,
): Promise<OnTransactionResponse | null> {
  const transaction = findInsightTransaction(shown);
  if (!transaction) return null;
  try {
    const chainId = toChainId(chain);
    const { from, nonce } = transaction;
    // The wallet does not choose most nonces before the transaction is confirmed.
    const findingRival =
      nonce === undefined
        ? undefined
        : context.findRival({ chain: toCaip2(chainId), from }, nonce);
    const [answers, rival, translate] = await Promise.all([
      askChain(transaction, chainId, context),
      findingRival,
      context.loadTranslate(),
    ]);
    const { review, levels, price, isChecked } = answers;
    const described = review.calls[0] as CallEffect;
    const { fees, to, delegates } = transaction;
    const found = listFound(
      warnOfDelegates(delegates),
      warnOfWrapping(transaction, answers),
      review.ofCalls.map((each) => each.warning),
      review.ofPast,
      rival && warnOfSameNonce(rival),
      fees && levels && findFeeWarnings(fees.maxFeePerGas, levels),
      to === null && info('insight.creation'),
      !isChecked && info('insight.unchecked'),
      fees &&
        review.newAccounts.map(({ gas }) => warnOfNewAccount(gas, fees.maxFeePerGas)),
    );
    const outlook = getOutlook(review, found, chain);
    const warnings = [...found, ...outlook.warnings];
    const feeInsight = levels && toFeeInsight(transaction, levels, price);
    const explainedCall = isExplained(described) ? described : undefined;
    const { simulation } = outlook;
    // A failed simulation is not reported, because MetaMask has its own.
    const changed =
      typeof simulation === 'object' &&
      [
        simulation.changes,
        simulation.others,
        simulation.approvals,
        simulation.controls,
      ].flat().length > 0
        ? simulation
        : undefined;
    // If the call is explained, its fold contains the digests.
    const digests =
      explainedCall || to === null || transaction.data === '0x'
        ? []
        : [getCalldataDigest(transaction.data)];
    const parts = [...warnings, ...digests];
    if (!feeInsight && !changed && !explainedCall && parts.length === 0) return null;
    const content = TransactionInsightView({
      translate,
      chain,
      warnings,
      call: explainedCall,
      fees: feeInsight,
      simulation: changed,
      digests,
    });
    const isCritical = [
      ...warnings,
      ...selectFittingCalls(explainedCall ? [explainedCall] : []).warnings,
    ].some(({ severity }) => severity === 'danger');
    return { content, ...(isCritical ? { severity: SeverityLevel.Critical } : {}) };
  } catch {
    return null;
  }
}

/** Returns whether a call redeems delegations for a call by its own sender. MetaMask wraps a site's
 * transaction in this way ("added protection"). */
function isWrapping({ from, known, inside }: CallEffect): boolean {
  return (
    known?.signature.startsWith('redeemDelegations(') === true &&
    inside.some((each) => each.kind === 'call' && isSameAddress(each.from, from))
  );
}

function warnOfWrapping(
  { gasLimit }: InsightTransaction,
  { wraps, estimate }: { wraps: boolean; estimate: bigint | undefined },
): Warning[] {
  if (!wraps) return [];
  const isTight =
    gasLimit !== undefined &&
    estimate !== undefined &&
    gasLimit * 100n < estimate * LEAST_GAS_PERCENT;
  const values = { gas: String(gasLimit), estimate: String(estimate) };
  return [
    info('insight.wrapped'),
    ...(isTight ? [warning('insight.tightGas', values)] : []),
  ];
}

function warnOfDelegates(delegates: InsightTransaction['delegates']): Warning[] {
  if (!delegates) return [danger('warning.authorizations')];
  return delegates.flatMap((address) => {
    if (isSameAddress(address, ZERO_ADDRESS)) return [info('delegation.revokes')];
    if (isSameAddress(address, METAMASK_DELEGATE)) return [];
    return [
      findImplementation(address)
        ? warning('delegation.allows')
        : danger('insight.delegate', { address }),
    ];
  });
}

export function TransactionInsightView(view: TransactionInsight): JSXElement {
  const { translate, call, fees, simulation, chain } = view;
  const { items, warnings: notShown } = selectFittingCalls(call ? [call] : []);
  const warnings = [...view.warnings, ...notShown];
  // MetaMask shows the contract itself.
  const receivers = call ? drawRecipients(call, view).slice(0, -1) : [];
  return (
    <Box>
      {drawNotices(printWarnings(warnings, translate, chain), translate)}
      {call ? (
        <Box>
          {drawEnglish(translate, [call])}
          {receivers as GenericSnapElement[]}
          <Box>{drawCallData({ translate, chain, call, hasIntent: true })}</Box>
          {drawCallFold({ translate, chain, call })}
        </Box>
      ) : null}
      {items.filter(isInner).map((item) => drawInner(item, view))}
      {drawChanges(simulation, { translate, chain })}
      {fees ? drawFees(fees, chain, translate) : null}
      {drawDigestFold(view.digests ?? [], translate) as GenericSnapElement[]}
    </Box>
  );
}

// MetaMask itself shows the data of a call to an unknown function.
function isExplained({ known, description, inside }: CallEffect): boolean {
  return known !== undefined || description !== undefined || inside.length > 0;
}

// Sends all requests in one tick, so that they share a batch. If the node does not answer in time,
// returns what can be read without it.
async function askChain(
  transaction: InsightTransaction,
  chainId: ChainId,
  context: InsightContext,
) {
  const { connect, feeLevels, preparePrice } = context;
  const { signal, clear } = startDeadline(TIME_LIMIT_MS, undefined);
  const inTime = async <Result,>(
    run: () => Promise<Result>,
  ): Promise<Result | undefined> => unlessAborted(run(), signal).catch(() => undefined);
  const { from, to, value, data, nonce } = transaction;
  const simulated = { from, ...(to && { to }), value: toQuantity(value), data };
  const call = readCall(transaction);
  const wraps = isWrapping(call);
  const review = async (chain: Chain | undefined): Promise<Review> =>
    reviewCalls(
      [call],
      {
        signer: from,
        chainId,
        chain,
        simulated: [simulated],
        findsNew: true,
        nonces: Promise.resolve([nonce]),
        nextCode: findNextCode(transaction),
      },
      context,
    );
  const offline = review(undefined);
  const chain = await inTime(async () => connect(chainId));
  const readPrice = chain && (await inTime(async () => preparePrice(chain)));
  const [levels, price, estimate, online] = await Promise.all([
    chain && inTime(async () => feeLevels(chain)),
    readPrice && inTime(async () => readPrice({ signal })),
    chain &&
      wraps &&
      inTime(async () =>
        chain.node.request('eth_estimateGas', [simulated], { signal }),
      ),
    chain && inTime(async () => review(chain)),
  ]);
  await inTime(async () => online?.pendingSimulation?.pending());
  // If the review is complete, the calls in another block get a little more time.
  await tryInTime(async () => online?.otherBlock?.pending(), OTHER_BLOCK_MS);
  clear();
  const isChecked = online !== undefined && levels !== undefined;
  return {
    review: online ?? (await offline),
    levels,
    price,
    isChecked,
    wraps,
    /** The node's gas estimate, if MetaMask wrapped the transaction. */
    estimate: estimate ? BigInt(estimate) : undefined,
  };
}

function findNextCode({ delegates }: InsightTransaction): Hex | null | undefined {
  if (!delegates) return null;
  const delegate = delegates.at(-1);
  return delegate === undefined ? undefined : toDelegatedCode(delegate);
}

function toFeeInsight(
  { fees, gasLimit }: InsightTransaction,
  levels: FeeLevels,
  price: CoinPrice | undefined,
) {
  if (!fees) return undefined;
  const { market, medium } = levels;
  return {
    ...compareFees(fees, levels),
    mediumCost: gasLimit === undefined ? undefined : gasLimit * medium.maxFeePerGas,
    ...(price && { price }),
    mediumWait: market?.waits.medium.max,
    congestion: market?.congestion,
    baseFeeTrend: market?.baseFeeTrend,
  };
}

function drawFees(
  fees: FeeInsight,
  chain: string,
  translate: Translate,
): GenericSnapElement {
  const { baseFeeTrend, congestion } = fees;
  return (
    <Section>
      {drawRows(translate, [
        ['insight.fee', writeFee(fees, translate)],
        ['insight.medium', writeMedium(fees, chain, translate)],
        ['insight.trend', baseFeeTrend && translate(`trend.${baseFeeTrend}`)],
        [
          'insight.congestion',
          ifKnown(congestion, (part) => toShownPercent(part, translate)),
        ],
      ])}
    </Section>
  );
}

function writeFee(fees: FeeInsight, translate: Translate): string {
  const { level, isBelowBaseFee, tenthsOfHigh } = fees;
  if (isBelowBaseFee) return translate('insight.fee.belowBase');
  if (level === undefined) return translate('insight.fee.below');
  if (tenthsOfHigh < MULTIPLE_FROM_TENTHS) {
    return translate('insight.fee.at', { level: translate(`level.${level}`) });
  }
  const times = `${tenthsOfHigh / 10n}.${tenthsOfHigh % 10n}`;
  return translate('insight.fee.above', { times: toShownDecimal(times, translate) });
}

function writeMedium(
  { mediumCost, mediumWait, price }: FeeInsight,
  chain: string,
  translate: Translate,
): string | undefined {
  if (mediumCost === undefined) return undefined;
  const cost = writeWorth(mediumCost, { translate, chain, price });
  if (mediumWait === undefined) return translate('insight.medium.cost', { cost });
  const wait = toShownDuration(mediumWait, translate);
  return translate('insight.medium.wait', { cost, wait });
}
