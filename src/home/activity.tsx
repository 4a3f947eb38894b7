// The activity tab: sent transactions and user operations, newest first.
import { Bold, Box, Heading, Link, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { findDoubt } from '../activity/judge';
import { isPending } from '../activity/ledger';
import { NotFoundError, TollkeeperError } from '../core/errors';
import { toChainId } from '../eth/chain';
import { Bytes32Struct, findQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseRawTransaction } from '../eth/raw-transaction';
import type { RawTransaction } from '../eth/raw-transaction';
import { maxCostOf } from '../eth/transaction';
import { submitHome } from '../pipeline';
import { parse } from '../schema/parse';
import type { SentTransaction } from '../state/sent-transaction';
import { bindButton, DESTRUCTIVE, drawRows, drawText, ifKnown } from '../ui/components';
import type { LabeledValue } from '../ui/components';
import { findExplorerPage } from '../ui/explorers';
import {
  toShownChain,
  toRoundedCoins,
  toShownCoins,
  toShownCount,
  toShownFee,
  toShownLine,
  toShortHex,
  toShownTime,
} from '../ui/format';
import type { Translate } from '../ui/i18n';
import {
  readOperationSteps,
  readTransactionSteps,
  writeSent,
  writeStep,
} from './sent-words';
import { inform, ListPage, toPage } from './tab';
import type { Action, ListView, Tab } from './tab';

/** A transaction or user operation for display. Amounts are in wei. */
export type ShownSent = ReturnType<typeof readSent>;

const MAX_STEPS = 20;

export const activityTab: Tab = {
  label: 'home.tab.activity',
  isLive: true,
  load: async ({ page, item }, { ledger }) => {
    const all = await ledger.list();
    const { rows, ...where } = toPage(all, page);
    const found = all.find(({ hash }) => hash === item);
    const open = found && toShown(found);
    const sent = rows.map(toShown);
    return ({ translate }) => ActivityTab({ translate, sent, open, ...where });
  },
  actions: {
    details: ({ argument = '' }, place) => ({ ...place, item: argument.slice(0, 66) }),
    speedUp: replacing('speedUp'),
    cancel: replacing('cancel'),
  },
};

function replacing(action: 'speedUp' | 'cancel'): Action {
  return async ({ argument, translate }, place, context) => {
    const hash = parse(argument, Bytes32Struct, 'hash');
    const sent = await context.ledger.find(hash);
    if (!sent) throw new NotFoundError(`No transaction ${hash} was sent.`);
    const result = await submitHome(
      {
        account: sent.account,
        scope: toChainId(sent.chain),
        method: 'tollkeeper_replaceTransaction',
        params: [hash, { action }],
      },
      context,
    );
    const words = action === 'cancel' ? 'activity.cancelled' : 'activity.spedUp';
    const item = parse(result, Bytes32Struct, 'hash');
    return inform({ ...place, item }, translate(words));
  };
}

export const toShown: (sent: SentTransaction) => ShownSent = readSent;

function readSent(sent: SentTransaction) {
  const { hash, chain, from, to, origin, sentAt, settledAt } = sent;
  const { status, inclusion, raw, operation, fees, replaces, replacedBy } = sent;
  const isOperation = sent.entryPoint !== undefined;
  const signed = raw === undefined ? undefined : readSigned(raw);
  const isFailed = inclusion?.success === false;
  return {
    hash,
    chain,
    from,
    to,
    origin,
    sentAt,
    settledAt,
    replaces,
    replacedBy,
    state: isFailed
      ? ('failed' as const)
      : sent.refused
        ? ('refused' as const)
        : status,
    doubt: findDoubt(sent),
    nonce: BigInt(sent.nonce),
    value: BigInt(sent.value),
    isOperation,
    isCancellation: sent.isCancellation ?? false,
    steps: operation
      ? readOperationSteps(operation)
      : signed && readTransactionSteps(signed, sent),
    /** Transaction hash for the explorer; undefined for a user operation until it is included. */
    carriedBy: isOperation ? inclusion?.transactionHash : hash,
    cost: findQuantity(inclusion?.cost),
    maxCost: inclusion || status === 'replaced' ? undefined : findMaxFee(sent, signed),
    price: findQuantity(fees.maxFeePerGas ?? fees.gasPrice),
    block: findQuantity(inclusion?.blockNumber),
    gasUsed: findQuantity(inclusion?.gasUsed),
    canBeReplaced: isPending(sent) && raw !== undefined,
  };
}

function readSigned(raw: Hex): RawTransaction['transaction'] | undefined {
  try {
    return parseRawTransaction(raw, 'raw').transaction;
  } catch (error) {
    if (error instanceof TollkeeperError) return undefined;
    throw error;
  }
}

// Excludes the value, which is shown separately.
function findMaxFee(
  { chain, value }: SentTransaction,
  signed: RawTransaction['transaction'] | undefined,
): bigint | undefined {
  if (!signed) return undefined;
  const chainId = toChainId(chain);
  return maxCostOf({ ...signed, chainId }) - BigInt(value);
}

export function ActivityTab(
  view: ListView & { sent: readonly ShownSent[]; open: ShownSent | undefined },
): BoxElement {
  const { translate, sent, open } = view;
  if (open) return SentDetails({ translate, sent: open });
  const items = sent.map((each) => drawSent(each, translate));
  return <ListPage {...view} name="activity" items={items} />;
}

function drawSent(sent: ShownSent, translate: Translate): SectionElement {
  const { hash, chain, state, doubt, value, sentAt, steps = [] } = sent;
  const [step] = steps;
  const page = findPage(sent);
  const short = toShortHex(hash);
  // The title of a plain transfer already shows its value.
  const isPlain = steps.length === 1 && step?.kind === 'call' && step.data === '0x';
  const hasValue = value !== 0n && !isPlain;
  return (
    <Section>
      <Text>
        <Bold>{writeSent(sent, { translate, chain, toAddress: toShortHex })}</Bold>
      </Text>
      {drawRows(translate, [
        ['field.status', translate(`sent.${state}`)],
        ['activity.sentAt', toShownTime(sentAt, translate)],
        ['field.chain', toShownChain(chain)],
        ['field.value', hasValue ? toRoundedCoins(value, translate, chain) : undefined],
        toCostRow(sent, translate),
      ])}
      {doubt ? <Text>{translate(`sent.doubt.${doubt}`)}</Text> : null}
      <Row label={translate('activity.hash')}>
        {page ? <Link href={page}>{short}</Link> : <Text>{short}</Text>}
      </Row>
      {bindButton(translate)(`home.activity.details:${hash}`, 'activity.details')}
    </Section>
  );
}

function findPage({ chain, carriedBy }: ShownSent): string | undefined {
  return carriedBy && findExplorerPage(chain, carriedBy);
}

export function SentDetails({
  translate,
  sent,
}: {
  translate: Translate;
  sent: ShownSent;
}): BoxElement {
  const { isOperation, hash, chain, steps = [], replaces, replacedBy } = sent;
  const page = findPage(sent);
  const button = bindButton(translate);
  const count = (amount: bigint): string => toShownCount(amount, translate);
  const time = (at: number): string => toShownTime(at, translate);
  const writing = { translate, chain, toAddress: (address: Hex): string => address };
  return (
    <Box>
      <Heading>
        {translate(isOperation ? 'activity.operation' : 'activity.transaction')}
      </Heading>
      <Section>
        <Text>{writeSent(sent, writing)}</Text>
        {steps.length > 1
          ? steps
              .slice(0, MAX_STEPS)
              .map((each) => <Text>{writeStep(each, writing)}</Text>)
          : null}
      </Section>
      <Section>
        {drawRows(translate, [
          ['field.status', translate(`sent.${sent.state}`)],
          ['field.chain', toShownChain(chain)],
          ['field.value', toShownCoins(sent.value, translate, chain)],
          ['field.nonce', count(sent.nonce)],
          ['field.origin', toShownLine(sent.origin)],
          ['activity.sentAt', time(sent.sentAt)],
          ['activity.settledAt', ifKnown(sent.settledAt, time)],
          ['activity.price', ifKnown(sent.price, (wei) => toShownFee(wei, translate))],
          ['activity.block', ifKnown(sent.block, count)],
          ['activity.gasUsed', ifKnown(sent.gasUsed, count)],
          ['field.account', { address: sent.from }],
          ['field.to', sent.to ? { address: sent.to } : undefined],
          toCostRow(sent, translate),
        ])}
        {sent.state === 'failed' ? (
          <Text>{translate('sent.failed.meaning')}</Text>
        ) : null}
        {sent.doubt ? <Text>{translate(`sent.doubt.${sent.doubt}`)}</Text> : null}
      </Section>
      {drawText(translate('activity.hash'), hash)}
      {page ? (
        <Text>
          <Link href={page}>
            {translate('activity.viewOn', { site: new URL(page).host })}
          </Link>
        </Text>
      ) : null}
      {replaces ? drawText(translate('activity.replaces'), replaces) : null}
      {replacedBy ? drawText(translate('activity.replacedBy'), replacedBy) : null}
      {sent.canBeReplaced ? (
        <Box direction="horizontal" alignment="space-between">
          {button(`home.activity.speedUp:${hash}`, 'activity.speedUp')}
          {button(`home.activity.cancel:${hash}`, 'activity.cancel', DESTRUCTIVE)}
        </Box>
      ) : null}
      {button('home.frame.back', 'home.back')}
    </Box>
  );
}

function toCostRow(sent: ShownSent, translate: Translate): LabeledValue {
  const key = sent.cost === undefined ? 'activity.maxCost' : 'activity.cost';
  const write = (wei: bigint): string => toShownCoins(wei, translate, sent.chain);
  return [key, ifKnown(sent.cost ?? sent.maxCost, write)];
}
