// The tab of what was sent, newest first: what it was, what became of it, what it cost, and ways to
// speed it up or cancel it while it is pending.
import {
  Bold,
  Box,
  Button,
  Copyable,
  Heading,
  Link,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { NotFoundError, TollkeeperError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import { Bytes32Struct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseRawTransaction } from '../eth/sign-transaction';
import type { RawTransaction } from '../eth/sign-transaction';
import { maxCostOf } from '../eth/transaction';
import { submitHome } from '../pipeline';
import { parse } from '../schema/parse';
import type { SentTransaction } from '../state/sent-transaction';
import { AddressField, Field } from '../ui/components';
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
import type { TextKey, Translate } from '../ui/i18n';
import { stateKeys } from '../ui/words';
import type { SentState } from '../ui/words';
import {
  findExplorerPage,
  readOperationSteps,
  readTransactionSteps,
  writeSent,
  writeStep,
} from './sent-words';
import type { SentContent } from './sent-words';
import { inform, Pager, toPage } from './tab';
import type { Action, Tab } from './tab';

/** A transaction or user operation that was sent; amounts in wei. */
export type ShownSent = SentContent & {
  hash: Hex;
  /** The transaction that an explorer knows; undefined for a user operation until it is included. */
  carriedBy: Hex | undefined;
  from: Hex;
  nonce: bigint;
  origin: string;
  sentAt: number;
  settledAt: number | undefined;
  state: SentState;
  /** What it did cost. */
  cost: bigint | undefined;
  /** What its gas can cost at most, while it is pending. */
  maxCost: bigint | undefined;
  /** What it offers for a unit of gas at most. */
  price: bigint | undefined;
  block: bigint | undefined;
  gasUsed: bigint | undefined;
  replaces: Hex | undefined;
  replacedBy: Hex | undefined;
  canBeReplaced: boolean;
};

/** Most calls of one entry that are named. */
const MAX_STEPS = 20;

/** What was sent. */
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
        scope: parse(sent.chain, ChainIdStruct, 'chain'),
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

function toShown(sent: SentTransaction): ShownSent {
  const { hash, chain, from, to, origin, sentAt, settledAt } = sent;
  const { status, inclusion, raw, operation, fees, replaces, replacedBy } = sent;
  const isOperation = sent.entryPoint !== undefined;
  const signed = raw === undefined ? undefined : readSigned(raw);
  const price = fees.maxFeePerGas ?? fees.gasPrice;
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
    nonce: BigInt(sent.nonce),
    state: inclusion?.success === false ? 'failed' : status,
    value: BigInt(sent.value),
    isOperation,
    isCancellation: sent.isCancellation ?? false,
    steps: operation
      ? readOperationSteps(operation)
      : signed && readTransactionSteps(signed, sent),
    carriedBy: isOperation ? inclusion?.transactionHash : hash,
    cost: inclusion && BigInt(inclusion.cost),
    maxCost: inclusion || status === 'replaced' ? undefined : findMaxFee(sent, signed),
    price: price === undefined ? undefined : BigInt(price),
    block: inclusion && BigInt(inclusion.blockNumber),
    gasUsed: inclusion && BigInt(inclusion.gasUsed),
    canBeReplaced: status === 'pending' && raw !== undefined,
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

// Beside the value, which is shown by itself.
function findMaxFee(
  { chain, value }: SentTransaction,
  signed: RawTransaction['transaction'] | undefined,
): bigint | undefined {
  if (!signed) return undefined;
  const chainId = parse(chain, ChainIdStruct, 'chain');
  return maxCostOf({ ...signed, chainId }) - BigInt(value);
}

/** Draws a page of what was sent, or the one that is looked at. */
export function ActivityTab({
  translate,
  sent,
  page,
  pages,
  open,
}: {
  translate: Translate;
  sent: readonly ShownSent[];
  page: number;
  pages: number;
  open: ShownSent | undefined;
}): BoxElement {
  if (open) return SentDetails({ translate, sent: open });
  return (
    <Box>
      <Heading>{translate('activity.title')}</Heading>
      {sent.length === 0 ? <Text>{translate('activity.none')}</Text> : null}
      {sent.map((each) => drawSent(each, translate))}
      <Pager translate={translate} page={page} pages={pages} />
    </Box>
  );
}

function drawSent(sent: ShownSent, translate: Translate): SectionElement {
  const { hash, chain, state, value, sentAt, steps = [] } = sent;
  const [step] = steps;
  const page = findPage(sent);
  const short = toShortHex(hash);
  // Its title says what it carries.
  const isPlain = steps.length === 1 && step?.kind === 'call' && step.data === '0x';
  return (
    <Section>
      <Text>
        <Bold>{writeSent(sent, { translate, chain, toAddress: toShortHex })}</Bold>
      </Text>
      <Field label={translate('field.status')} value={translate(stateKeys[state])} />
      <Field
        label={translate('activity.sentAt')}
        value={toShownTime(sentAt, translate)}
      />
      <Field label={translate('field.chain')} value={toShownChain(chain)} />
      {value === 0n || isPlain ? null : (
        <Field
          label={translate('field.value')}
          value={toRoundedCoins(value, translate, chain)}
        />
      )}
      {drawCost(sent, translate)}
      <Row label={translate('activity.hash')}>
        {page ? <Link href={page}>{short}</Link> : <Text>{short}</Text>}
      </Row>
      <Button name={`home.activity.details:${hash}`}>
        {translate('activity.details')}
      </Button>
    </Section>
  );
}

function findPage({ chain, carriedBy }: ShownSent): string | undefined {
  return carriedBy && findExplorerPage(chain, carriedBy);
}

type DetailsView = { translate: Translate; sent: ShownSent };

/** Draws one of what was sent in full, with what can still be done. */
export function SentDetails({ translate, sent }: DetailsView): BoxElement {
  const { isOperation, hash, chain, replaces, replacedBy, canBeReplaced } = sent;
  const { steps = [] } = sent;
  const page = findPage(sent);
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
        {toRows({ translate, sent }).map(([key, value]) =>
          value === undefined ? null : <Field label={translate(key)} value={value} />,
        )}
        <AddressField label={translate('field.account')} address={sent.from} />
        {sent.to ? (
          <AddressField label={translate('field.to')} address={sent.to} />
        ) : null}
        {drawCost(sent, translate)}
      </Section>
      {drawHash('activity.hash', hash, translate)}
      {page ? (
        <Text>
          <Link href={page}>
            {translate('activity.viewOn', { site: new URL(page).host })}
          </Link>
        </Text>
      ) : null}
      {replaces ? drawHash('activity.replaces', replaces, translate) : null}
      {replacedBy ? drawHash('activity.replacedBy', replacedBy, translate) : null}
      {canBeReplaced ? (
        <Box direction="horizontal" alignment="space-between">
          <Button name={`home.activity.speedUp:${hash}`}>
            {translate('activity.speedUp')}
          </Button>
          <Button name={`home.activity.cancel:${hash}`} variant="destructive">
            {translate('activity.cancel')}
          </Button>
        </Box>
      ) : null}
      <Button name="home.frame.back">{translate('home.back')}</Button>
    </Box>
  );
}

function toRows({ translate, sent }: DetailsView): [TextKey, string | undefined][] {
  const { state, chain, value, nonce, origin, sentAt, settledAt, price } = sent;
  const { block, gasUsed } = sent;
  const known = <Value,>(
    amount: Value | undefined,
    write: (amount: Value) => string,
  ): string | undefined => (amount === undefined ? undefined : write(amount));
  const count = (amount: bigint): string => toShownCount(amount, translate);
  const time = (at: number): string => toShownTime(at, translate);
  return [
    ['field.status', translate(stateKeys[state])],
    ['field.chain', toShownChain(chain)],
    ['field.value', toShownCoins(value, translate, chain)],
    ['field.nonce', count(nonce)],
    ['field.origin', toShownLine(origin)],
    ['activity.sentAt', time(sentAt)],
    ['activity.settledAt', known(settledAt, time)],
    ['activity.price', known(price, (wei) => toShownFee(wei, translate))],
    ['activity.block', known(block, count)],
    ['activity.gasUsed', known(gasUsed, count)],
  ];
}

function drawHash(key: TextKey, hash: Hex, translate: Translate): BoxElement {
  return (
    <Box>
      <Text>{translate(key)}</Text>
      <Copyable value={hash} />
    </Box>
  );
}

// What it did cost, or can cost at most; nothing if neither is known.
function drawCost(
  { chain, cost, maxCost }: ShownSent,
  translate: Translate,
): BoxElement | null {
  const wei = cost ?? maxCost;
  if (wei === undefined) return null;
  const key = cost === undefined ? 'activity.maxCost' : 'activity.cost';
  return (
    <Box>
      <Field label={translate(key)} value={toShownCoins(wei, translate, chain)} />
    </Box>
  );
}
