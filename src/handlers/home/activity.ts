// The home page's tab of what was sent: what became of it, what it cost, and ways to speed it
// up or cancel it while it is pending.
import { NotFoundError, TollkeeperError } from '../../errors';
import { ChainIdStruct } from '../../eth/chain';
import { Bytes32Struct } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { parseRawTransaction } from '../../eth/sign-transaction';
import { maxCostOf } from '../../eth/transaction';
import { parse } from '../../schema/parse';
import type { SentTransaction } from '../../state/sent-transaction';
import { ActivityTab } from '../../ui/home/activity';
import type { ActivityView } from '../../ui/home/activity';
import type { ShownSent } from '../../ui/home/sent-summary';
import { info } from '../../ui/notice';
import { toPage } from './paging';
import { HOME_ORIGIN, toSigningServices } from './signing';
import { defineTab } from './tab';
import type { Action, HomeServices } from './tab';

/** What was sent. */
export const activityTab = defineTab<Omit<ActivityView, 'translate'>>({
  label: 'home.tab.activity',
  isLive: true,
  load: async ({ page, item }, { ledger }) => {
    const all = await ledger.list();
    const { rows, ...where } = toPage(all, page);
    const open = all.find(({ hash }) => hash === item);
    return {
      ...where,
      sent: rows.map(toShown),
      open: open && toShown(open),
    };
  },
  draw: (data, { translate }) => ActivityTab({ translate, ...data }),
  actions: {
    details: ({ argument = '' }, place) => ({ ...place, item: argument.slice(0, 66) }),
    speedUp: replacing('speedUp'),
    cancel: replacing('cancel'),
  },
});

function replacing(action: 'speedUp' | 'cancel'): Action {
  return async ({ argument }, place, services) => {
    const hash = parse(argument, Bytes32Struct, 'hash');
    const replacement = await replace(hash, action, services);
    const translate = await services.loadTranslate();
    const words = translate(
      action === 'cancel' ? 'activity.cancelled' : 'activity.spedUp',
    );
    return { ...place, item: replacement, notices: [info(words)] };
  };
}

async function replace(
  hash: Hex,
  action: 'speedUp' | 'cancel',
  services: HomeServices,
): Promise<Hex> {
  const sent = await services.ledger.find(hash);
  if (!sent) throw new NotFoundError(`No transaction ${hash} was sent.`);
  const { account, chain } = sent;
  const result = await services.keyring.submitRequest(
    {
      account,
      origin: HOME_ORIGIN,
      scope: parse(chain, ChainIdStruct, 'chain'),
      method: 'tollkeeper_replaceTransaction',
      params: [hash, { action }],
    },
    toSigningServices(HOME_ORIGIN, false, services),
  );
  return parse(result, Bytes32Struct, 'hash');
}

function toShown(sent: SentTransaction): ShownSent {
  const { status, inclusion, raw, fees, value, entryPoint } = sent;
  const price = fees.maxFeePerGas ?? fees.gasPrice;
  return {
    ...pick(sent),
    state: inclusion?.success === false ? 'failed' : status,
    value: BigInt(value),
    isOperation: entryPoint !== undefined,
    cost: inclusion && BigInt(inclusion.cost),
    maxCost: findMaxFee(sent),
    price: price === undefined ? undefined : BigInt(price),
    block: inclusion && BigInt(inclusion.blockNumber),
    gasUsed: inclusion && BigInt(inclusion.gasUsed),
    canBeReplaced: status === 'pending' && raw !== undefined,
  };
}

function pick({
  hash,
  chain,
  from,
  to,
  nonce,
  origin,
  sentAt,
  settledAt,
  replaces,
  replacedBy,
}: SentTransaction): Pick<
  ShownSent,
  | 'hash'
  | 'chain'
  | 'from'
  | 'to'
  | 'nonce'
  | 'origin'
  | 'sentAt'
  | 'settledAt'
  | 'replaces'
  | 'replacedBy'
> {
  return {
    hash,
    chain,
    from,
    to,
    nonce: BigInt(nonce),
    origin,
    sentAt,
    settledAt,
    replaces,
    replacedBy,
  };
}

// Beside the value, which is shown by itself.
function findMaxFee({ raw, chain, value }: SentTransaction): bigint | undefined {
  if (raw === undefined) return undefined;
  try {
    const chainId = parse(chain, ChainIdStruct, 'chain');
    const { transaction } = parseRawTransaction(raw, 'raw');
    return maxCostOf({ ...transaction, chainId }) - BigInt(value);
  } catch (error) {
    // A user operation is not kept as it was signed.
    if (error instanceof TollkeeperError) return undefined;
    throw error;
  }
}
