// wallet_getCallsStatus [id] and wallet_showCallsStatus [id] (EIP-5792): the status of a site's
// calls. A site sees only its own calls from accounts it was granted.
import { Box, Heading, Link, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { GenericSnapElement, JSXElement } from '@metamask/snaps-sdk/jsx';
import { array, tuple, type } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { tryInTime } from '../../packages/client/src/abort';
import {
  findIncluded,
  findResults,
  reasons,
  toStatusCode,
} from '../activity/call-batches';
import type {
  CallResult,
  CallsStatusCode,
  IncludedResult,
} from '../activity/call-batches';
import { cannotChange } from '../activity/ledger';
import type { AppContext } from '../context';
import { CallsError } from '../core/errors';
import { toChainId } from '../eth/chain';
import {
  Bytes32Struct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
  toQuantity,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { SiteRequest } from '../request';
import { findAct } from '../review/act';
import type { Act } from '../review/act';
import { readSent } from '../review/read';
import { matches, parse } from '../schema/parse';
import type { SentTransaction } from '../state/sent-transaction';
import { Field } from '../ui/components';
import { toInfoView } from '../ui/confirmation';
import { findExplorerPage } from '../ui/explorers';
import { toShortHex, toShownChain, toShownLine } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { BatchIdStruct, CALLS_VERSION } from './params';

/** How long an answer waits for a poll of the calls' chain, in ms. */
const LIMIT_MS = 5_000;

/** Number of batch entries that cost one more lookup if servers must be queried. A library that
 * polls a full batch every second stays within the limit. */
export const ENTRIES_PER_LOOKUP = 10;

export const CallsIdParamsStruct = tuple([BatchIdStruct]);

/** Maximum listed hashes. The rest are only counted. */
const MAX_SHOWN = 50;

const statusWords = {
  100: 'callsStatus.pending',
  200: 'callsStatus.confirmed',
  400: 'callsStatus.notSent',
  500: 'callsStatus.reverted',
  600: 'callsStatus.partial',
} as const satisfies Record<CallsStatusCode, TextKey>;

export type CallsStatus = {
  translate: Translate;
  id: string;
  /** CAIP-2 chain. */
  chain: string;
  status: CallsStatusCode;
  /** The transactions, or the user operation with all calls. */
  sent: readonly (CallResult & { act?: Act | undefined })[];
  /** Why the remaining calls were not sent. */
  failure?: string | undefined;
};

/** Throws `CallsError` (5730) if the origin sent no calls with that id. */
export async function getCallsStatus(
  request: SiteRequest,
  context: AppContext,
): Promise<Json> {
  const { batch, results, status } = await find(request, context);
  const included = await findIncluded(results, batch, context);
  const receipts = included.map(toCallReceipt);
  const doubt = results.find((each) => each.doubt)?.doubt;
  return {
    version: CALLS_VERSION,
    id: batch.id,
    chainId: toQuantity(toChainId(batch.chain)),
    status,
    atomic: batch.atomic,
    ...(receipts.length === 0 ? {} : { receipts }),
    ...(status === 100 &&
      doubt && { capabilities: { status: { reason: reasons[doubt] } } }),
  };
}

/** Throws `CallsError` (5730) if the origin sent no calls with that id, or `LimitExceededError` if
 * too many dialogs are open. */
export async function showCallsStatus(
  request: SiteRequest,
  context: AppContext,
): Promise<null> {
  const { batch, results, status } = await find(request, context);
  const { id, chain, failure } = batch;
  const sent = await Promise.all(
    results.map(async (each) => {
      const kept = await context.ledger.find(each.hash);
      const act = kept && findAct(readSent(kept), { chain, warnings: [] });
      return { ...each, act };
    }),
  );
  await context.consent.show(request.origin, (translate) =>
    toInfoView(CallsStatusView({ translate, id, chain, status, sent, failure })),
  );
  return null;
}

async function find({ origin, method, params }: SiteRequest, context: AppContext) {
  const { callBatches, grants, ledger, tracker, rateLimit } = context;
  const [id] = parse(params, CallsIdParamsStruct, `${method}: params`);
  const batch = await callBatches.find(origin, id);
  const granted = await grants.list(origin);
  if (!batch || !granted.some((account) => account.id === batch.account)) {
    throw new CallsError(
      'unknown',
      `This origin sent no calls with the id ${JSON.stringify(id.slice(0, 80))} from an account that ` +
        'it was granted.',
    );
  }
  const sent = await Promise.all(batch.hashes.map(async (hash) => ledger.find(hash)));
  const entries = sent.filter(needsLookup).length;
  rateLimit(origin, 'read', Math.floor(entries / ENTRIES_PER_LOOKUP));
  if (sent.some((each) => each && !cannotChange(each))) {
    // Polls through the tracker, so that the user is notified once. Ignores errors and returns the
    // known states, because sites poll every few seconds.
    const chainId = toChainId(batch.chain);
    await tryInTime(async () => tracker.poll(chainId), LIMIT_MS);
  }
  const results = await findResults(batch, context);
  return { batch, results, status: toStatusCode(batch, results) };
}

// A settled entry needs a lookup only if it was included and its receipt is missing.
function needsLookup(sent: SentTransaction | undefined): boolean {
  if (!sent || !cannotChange(sent)) return true;
  return sent.status === 'included' && sent.receipt === undefined;
}

const LogStruct = type({
  address: NodeAddressStruct,
  data: NodeBytesStruct,
  topics: array(Bytes32Struct),
});

// A bundler's receipt includes the receipt of the carrying transaction.
const CarriedStruct = type({ receipt: type({ gasUsed: HexQuantityStruct }) });

// Creates the receipt of a transaction or a user operation. An operation's receipt has its own logs
// and success; the other fields are those of the transaction that carried it.
function toCallReceipt({ hash, inclusion, receipt }: IncludedResult): Json {
  const { blockHash, blockNumber, success, transactionHash = hash } = inclusion;
  const carrier = matches(receipt, CarriedStruct) ? receipt.receipt : inclusion;
  return {
    logs: toLogs(receipt),
    status: success === false ? '0x0' : '0x1',
    blockHash,
    blockNumber,
    gasUsed: carrier.gasUsed,
    transactionHash,
  };
}

// Picks the fields of EIP-5792 from logs, and omits a bundler's malformed logs.
function toLogs(receipt: object): Json[] {
  const logs: unknown = 'logs' in receipt ? receipt.logs : [];
  const all: unknown[] = Array.isArray(logs) ? logs : [];
  return all.flatMap((log) => {
    if (!matches(log, LogStruct)) return [];
    const { address, data, topics } = log;
    return [{ address, data, topics }];
  });
}

function drawHash(hash: Hex, page: string | undefined): GenericSnapElement {
  return page ? <Link href={page}>{toShortHex(hash)}</Link> : <Text>{hash}</Text>;
}

export function CallsStatusView(view: CallsStatus): JSXElement {
  const { translate, id, chain, status, sent, failure } = view;
  const more = sent.length - MAX_SHOWN;
  return (
    <Box>
      <Heading>{translate('callsStatus.title')}</Heading>
      <Section>
        <Field
          label={translate('field.status')}
          value={translate(statusWords[status])}
        />
        <Field label={translate('field.chain')} value={toShownChain(chain)} />
        <Field label={translate('field.callsId')} value={toShownLine(id)} />
      </Section>
      {failure === undefined ? null : <Text>{toShownLine(failure)}</Text>}
      {sent.slice(0, MAX_SHOWN).map(({ hash, carriedBy, state, doubt, act }) => (
        <Section>
          {act ? <Text>{act.write(translate)}</Text> : null}
          <Row label={translate(`sent.${state}`)}>
            {drawHash(hash, carriedBy && findExplorerPage(chain, carriedBy))}
          </Row>
          {doubt ? <Text>{translate(`sent.doubt.${doubt}`)}</Text> : null}
        </Section>
      ))}
      {more > 0 ? (
        <Text>{translate('callsStatus.more', { count: String(more) })}</Text>
      ) : null}
    </Box>
  );
}
