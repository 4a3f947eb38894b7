// The permissions tab: permissions on an account's assets, the outcome of the last revocation,
// usable permits and orders that were signed here, and the sites that may see accounts.
import {
  Address,
  Box,
  Checkbox,
  Heading,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { withTimeLimit } from '../../packages/client/src/abort';
import { createNaming } from '../accounts/phrases';
import { serves } from '../accounts/repository';
import { toPermissionJson } from '../calls/revoke';
import type { AppContext } from '../context';
import { InvalidParamsError, NotFoundError } from '../core/errors';
import { toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isUnlimited, smaller } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { isRevocable, toKey } from '../permissions/permission';
import type { Permission } from '../permissions/permission';
import type { FoundPermissions } from '../permissions/permissions';
import type { LogReport } from '../permissions/scan';
import { submitHome } from '../pipeline';
import { tryBriefly } from '../review/ask';
import { writeAmount, writeEnd } from '../review/screen/changes';
import { HOME_ORIGIN } from '../sites/consent';
import type { GrantRow } from '../sites/grants';
import type { AccountRecord } from '../state/account-record';
import { MAX_BATCH_CALLS } from '../state/sent-transaction';
import { EVERY_CHAIN, loadSigned } from '../typed-data/signed';
import type { UsableDocument } from '../typed-data/signed';
import { bindButton, DESTRUCTIVE, drawRows, ifKnown, SMALL } from '../ui/components';
import type { LabeledValue } from '../ui/components';
import {
  toShortHex,
  toShownCount,
  toShownLine,
  toShownTime,
  toShownToken,
} from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { findTokenUnit, isReservedSymbol } from '../ui/tokens';
import type { TokenUnit } from '../ui/tokens';
import { listScopes } from './account-data';
import { toShown } from './activity';
import { ChainChoice, drawChoice } from './form';
import { writeSent } from './sent-words';
import { chooseChain, inform, Pager, toFailure, toPage } from './tab';
import type { Action, HomePlace, Tab } from './tab';

export type PermissionsView = Awaited<ReturnType<typeof loadView>> & {
  translate: Translate;
};

const PREFIX = 'home.permissions.';

const ALL = `${PREFIX}all`;

const WAIT_MS = { logs: 1_500, all: 6_000 };

const MAX_ACCOUNTS = 10;

const invalidateSigned: Action = async ({ argument, translate }, place, context) => {
  const { signedDocuments } = await context.store.read();
  const found = signedDocuments.find(
    ({ hash, account }) => `${account} ${hash}` === argument,
  );
  if (found?.cancel === undefined) {
    throw new NotFoundError('No such permit or order can be invalidated by a call.');
  }
  const { account, contract: to, cancel: data } = found;
  const { address: from } = await context.keyring.getRecord(account);
  const { chain = found.chain } = await choose(place, context);
  const scope = toChainId(found.chain === EVERY_CHAIN ? chain : found.chain);
  const params = [{ from, to, data, value: '0x0' }];
  await submitHome({ account, scope, method: 'eth_sendTransaction', params }, context);
  return inform(place, translate('delegation.sent'));
};

export const permissionsTab: Tab = {
  label: 'home.tab.permissions',
  isLive: true,
  load: async (place, context) => {
    const view = await loadView(place, context);
    return ({ translate }) => PermissionsTab({ translate, ...view });
  },
  actions: {
    invalidate: invalidateSigned,
    disconnect: async ({ argument: origin = '', translate }, place, { grants }) => {
      await grants.revoke(origin);
      const values = { origin: toShownLine(origin) };
      return inform(place, translate('sites.revoked', values));
    },
    disconnectOne: async ({ argument = '', translate }, place, { grants }) => {
      const [, id = '', origin = ''] = /^(\S+) (.*)$/su.exec(argument) ?? [];
      const before = await grants.list(origin);
      await grants.revoke(origin, id);
      const address = before.find((account) => account.id === id)?.address ?? id;
      const values = { origin: toShownLine(origin), address };
      return inform(place, translate('sites.revokedOne', values));
    },
    chain: chooseChain,
    account: ({ values: { value } }, place) =>
      typeof value === 'string'
        ? { ...place, page: 0, item: value.slice(0, 36) }
        : place,
    revoke: async ({ values, translate }, place, context) => {
      const { record, chain } = await choose(place, context);
      if (!record || chain === undefined) return place;
      const { id: account } = record;
      const scope = toChainId(chain);
      const found = await context.permissions.find(record, scope, 0);
      const wanted = found.permissions
        .filter(canBeSelected)
        .filter((each) => values[ALL] === true || values[toName(each)] === true)
        .slice(0, MAX_BATCH_CALLS);
      if (wanted.length === 0) {
        throw new InvalidParamsError(translate('permissions.nothing'));
      }
      const permissions = wanted.map(toPermissionJson);
      const params = [{ account, chainId: chain, permissions }];
      await submitHome(
        { account, scope, method: 'tollkeeper_revoke', params },
        context,
      );
      return inform(place, translate('permissions.sent'));
    },
    revokeDelegation: async ({ translate }, place, context) => {
      const { record, chain } = await choose(place, context);
      if (!record || chain === undefined) return place;
      const { id: account } = record;
      const method = 'tollkeeper_revokeDelegation';
      const params = [{ account, chainId: chain }];
      await submitHome({ account, scope: toChainId(chain), method, params }, context);
      return inform(place, translate('delegation.sent'));
    },
  },
};

async function choose(place: HomePlace, context: AppContext) {
  const [records, listed] = await Promise.all([
    context.repository.list(),
    listScopes(context),
  ]);
  const record = records.find(({ id }) => id === place.item) ?? records[0];
  const chains = listed.filter((each) => record && serves(record, toChainId(each)));
  const chain = chains.find((each) => each === place.chain) ?? chains[0];
  return { records, chains, record, chain };
}

async function loadView(place: HomePlace, context: AppContext) {
  const { records, chains, record, chain } = await choose(place, context);
  type Found = Partial<FoundPermissions> & { failure?: unknown };
  const find = async (): Promise<Found> =>
    record && chain !== undefined
      ? context.permissions.find(record, toChainId(chain), WAIT_MS.logs)
      : {};
  const [found, outcome, sites, signed] = await Promise.all([
    withTimeLimit(find, WAIT_MS.all).catch((failure: unknown): Found => ({ failure })),
    record && findOutcome(record, chain, context),
    context.grants.listAll(),
    record && chain !== undefined ? loadSigned(record, chain, context) : [],
  ]);
  const nameOf = await createNaming(records, context.listEntropySources);
  const { permissions = [], logs, failure } = found;
  const { rows, ...where } = toPage([...permissions, ...sites], place.page);
  const shown = rows.filter((row) => 'kind' in row);
  return {
    ...where,
    chains,
    chain,
    outcome,
    logs,
    signed,
    failure,
    accounts: records.map(
      (each) => [each.id, `${nameOf(each)} (${toShortHex(each.address)})`] as const,
    ),
    account: record?.id,
    /** Number of permissions, on all pages, that can be selected for revocation. */
    count: permissions.filter(canBeSelected).length,
    permissions:
      chain === undefined ? [] : await addDetails(shown, toChainId(chain), context),
    sites: rows.filter((row) => 'origin' in row),
  };
}

// A permission that could not be read cannot be revoked.
function canBeSelected(permission: Permission): boolean {
  return permission.isKnown && isRevocable(permission);
}

/** Names a permission's checkbox by its key, so that it stays ticked when the list changes. */
function toName(permission: Permission): string {
  return `${PREFIX}pick:${toKey(permission)}`;
}

type ShownPermission = Permission & {
  /** The token's unit. `isStated` means that only the token's contract states it. */
  unit?: (TokenUnit & { isStated: boolean }) | undefined;
  /** Time at which the permission was granted, in ms since 1970. */
  since?: number | undefined;
};

async function addDetails(
  permissions: readonly Permission[],
  id: ChainId,
  { connect, describer }: AppContext,
): Promise<ShownPermission[]> {
  const chain = `eip155:${id}`;
  const tokens = permissions.flatMap(({ token }) =>
    token && !findTokenUnit(chain, token) ? [token] : [],
  );
  const blocks = new Set(permissions.flatMap(({ block }) => block ?? []));
  const times = new Map<bigint, number>();
  await tryBriefly(async (signal) => {
    const { node } = await connect(id);
    await Promise.all([
      tokens.length > 0 && describer.units.fetch(tokens, { id, node, signal }),
      ...[...blocks].map(async (block) => {
        const params = [`0x${block.toString(16)}`, false] as [Hex, boolean];
        const header = await node.request('eth_getBlockByNumber', params, { signal });
        if (header) times.set(block, Number(BigInt(header.timestamp)) * 1_000);
      }),
    ]);
  });
  return permissions.map((each) => {
    const { token, block } = each;
    const since = block === undefined ? undefined : times.get(block);
    if (token === undefined) return { ...each, since };
    const known = findTokenUnit(chain, token);
    const stated = known ? undefined : describer.units.find(id, token)?.unit;
    const isBelieved = stated && !isReservedSymbol(stated.symbol, chain);
    const unit = known ?? (isBelieved ? stated : undefined);
    return { ...each, since, unit: unit && { ...unit, isStated: !known } };
  });
}

async function findOutcome(
  record: AccountRecord,
  chain: string | undefined,
  { store, ledger }: AppContext,
) {
  const { batches } = await store.read();
  const batch = batches.findLast(
    (each) =>
      each.origin === HOME_ORIGIN && each.account === record.id && each.chain === chain,
  );
  if (!batch) return undefined;
  const { hashes, size, atomic, failure } = batch;
  const found = await Promise.all(hashes.map(async (hash) => ledger.find(hash)));
  const sent = found.filter((each) => each !== undefined).map(toShown);
  return { sent, failure, unsent: atomic ? 0 : size - hashes.length };
}

export function PermissionsTab(view: PermissionsView): BoxElement {
  const { translate, accounts, account, chain, permissions } = view;
  const { failure, count, outcome, logs, signed, sites, page, pages } = view;
  const isLast = page === pages - 1;
  return (
    <Box>
      <Heading>{translate('permissions.title')}</Heading>
      {account === undefined
        ? null
        : drawChoice(translate('field.account'), accounts, {
            name: `${PREFIX}account`,
            value: account,
          })}
      {chain === undefined ? (
        <Text>{translate('gas.noChain')}</Text>
      ) : (
        <ChainChoice name={`${PREFIX}chain`} {...view} value={chain} />
      )}
      {outcome ? drawOutcome(outcome, view) : null}
      {failure === undefined ? null : (
        <Text color="error">{toFailure(failure, translate).text}</Text>
      )}
      {logs ? drawLogs(logs, translate) : null}
      {logs &&
      page + permissions.length === 0 &&
      !['running', 'failed'].includes(logs.status) ? (
        <Text>{translate('permissions.none')}</Text>
      ) : null}
      {permissions.map((each) => drawPermission(each, view))}
      {permissions.some(canBeSelected) ? (
        <Box>
          <Checkbox
            name={ALL}
            label={translate('permissions.all', {
              count: Math.min(count, MAX_BATCH_CALLS),
            })}
          />
          {bindButton(translate)(`${PREFIX}revoke`, 'permissions.revoke', DESTRUCTIVE)}
        </Box>
      ) : null}
      {page === 0 && signed.length > 0 ? (
        <Section>
          <Text fontWeight="bold">{translate('signed.title')}</Text>
          {signed.map((each) => drawDocument(each, translate))}
        </Section>
      ) : null}
      {sites.length > 0 || isLast ? (
        <Heading>{translate('sites.title')}</Heading>
      ) : null}
      {sites.map((site) => drawSite(site, translate))}
      {sites.length === 0 && isLast ? <Text>{translate('sites.none')}</Text> : null}
      <Pager translate={translate} page={page} pages={pages} />
    </Box>
  );
}

const logKeys: Record<LogReport['status'], { some: TextKey; none: TextKey }> = {
  running: { some: 'permissions.logs.running', none: 'permissions.logs.begun' },
  complete: { some: 'permissions.logs.complete', none: 'permissions.logs.refused' },
  partial: { some: 'permissions.logs.partial', none: 'permissions.logs.refused' },
  failed: { some: 'permissions.logs.failed', none: 'permissions.logs.silent' },
  refused: { some: 'permissions.logs.partial', none: 'permissions.logs.refused' },
};

function drawLogs(
  { status, fromBlock, toBlock, omitted }: LogReport,
  translate: Translate,
): BoxElement {
  const { some, none } = logKeys[status];
  const blocks = { from: fromBlock ?? 0n, to: toBlock ?? 0n };
  return (
    <Box>
      <Text color={status === 'complete' ? 'muted' : 'warning'}>
        {fromBlock === undefined ? translate(none) : translate(some, blocks)}
      </Text>
      {omitted > 0 ? (
        <Text color="warning">
          {translate('permissions.omitted', { count: omitted })}
        </Text>
      ) : null}
    </Box>
  );
}

function drawOutcome(
  { sent, unsent, failure }: NonNullable<PermissionsView['outcome']>,
  { translate, chain = '' }: PermissionsView,
): SectionElement {
  const states = [...new Set(sent.map(({ state }) => state))].map(
    (state): LabeledValue => {
      const { length } = sent.filter((each) => each.state === state);
      return [`sent.${state}`, toShownCount(length, translate)];
    },
  );
  const others = sent.filter(({ state }) => state !== 'included');
  const writing = { translate, chain, toAddress: toShortHex };
  return (
    <Section>
      <Text fontWeight="bold">{translate('permissions.outcome')}</Text>
      {drawRows(translate, [
        ...states,
        [
          'permissions.unsent',
          unsent > 0 ? toShownCount(unsent, translate) : undefined,
        ],
      ])}
      {others.slice(0, 10).map((each) => (
        <Text color="muted">
          {`${translate(`sent.${each.state}`)}: ${writeSent(each, writing)}`}
        </Text>
      ))}
      {failure === undefined ? null : <Text color="error">{toShownLine(failure)}</Text>}
    </Section>
  );
}

function drawPermission(
  permission: ShownPermission,
  { translate, chain }: PermissionsView,
): SectionElement {
  const { kind, spender, token, isKnown, balance, amount, unit } = permission;
  const button = bindButton(translate);
  const extent = isKnown ? writeExtent(permission, translate) : undefined;
  // The extent of an asset permission is short and part of the title. The kind of an operator
  // permission implies its extent. Any other extent is a separate sentence.
  const isShort = token !== undefined;
  const name = translate(`permissions.${kind}`);
  const title =
    extent !== undefined && isShort && kind !== 'operator'
      ? `${name}: ${extent}`
      : name;
  const atRisk =
    balance === undefined || amount === undefined
      ? undefined
      : writeAmount(smaller(balance, amount), unit, translate);
  return (
    <Section>
      {canBeSelected(permission) ? (
        <Checkbox name={toName(permission)} label={title} />
      ) : (
        <Text fontWeight="bold">{title}</Text>
      )}
      {extent === undefined || isShort ? null : <Text>{extent}</Text>}
      {drawRows(translate, [
        ['changes.spender', isKnown || token ? { address: spender, chain } : undefined],
      ])}
      {isKnown ? null : <Text color="warning">{translate('permissions.unknown')}</Text>}
      {drawRows(translate, [
        [
          'changes.balance',
          permission.isUnlimited && atRisk !== undefined
            ? translate('permissions.andLater', { amount: atRisk })
            : atRisk,
        ],
        [
          'permissions.since',
          ifKnown(permission.since, (at) => toShownTime(at, translate)),
        ],
        ['allowance.ends', writeEnd(permission.expiration, translate)],
        [
          unit ? 'token.unverified' : 'field.contract',
          token && (!unit || unit.isStated) ? { address: token } : undefined,
        ],
      ])}
      {kind === 'delegation' && isKnown
        ? button(`${PREFIX}revokeDelegation`, 'delegation.revoke', DESTRUCTIVE)
        : null}
    </Section>
  );
}

function writeExtent(
  { kind, amount, id, isUnlimited, unit }: ShownPermission,
  translate: Translate,
): string {
  if (kind === 'operator') return translate('changes.allNfts');
  if (kind === 'nft') return translate('changes.nft', { id: String(id) });
  if (kind !== 'allowance' && kind !== 'permit2') {
    return translate(`permissions.${kind}.may`);
  }
  if (!isUnlimited) return writeAmount(amount ?? 0n, unit, translate);
  const unlimited = translate('changes.unlimited');
  return unit ? `${unlimited} (${unit.symbol})` : unlimited;
}

function drawSite(
  { origin, accounts }: GrantRow,
  translate: Translate,
): SectionElement {
  const hidden = accounts.length - MAX_ACCOUNTS;
  const button = bindButton(translate);
  return (
    <Section>
      <Text fontWeight="bold">{toShownLine(origin)}</Text>
      {accounts.length === 0 ? <Text>{translate('sites.noAccounts')}</Text> : null}
      {accounts.slice(0, MAX_ACCOUNTS).map(({ id, address }) => (
        <Box direction="horizontal" alignment="space-between">
          <Address address={address as Hex} />
          {button(`${PREFIX}disconnectOne:${id} ${origin}`, 'sites.revokeOne', SMALL)}
        </Box>
      ))}
      {hidden > 0 ? <Text>{translate('sites.hidden', { count: hidden })}</Text> : null}
      {button(`${PREFIX}disconnect:${origin}`, 'sites.revoke', DESTRUCTIVE)}
    </Section>
  );
}

function drawDocument(signed: UsableDocument, translate: Translate): BoxElement {
  const { account, hash, kind, contract, token, spender, origin, signedAt } = signed;
  const { market, others = 0, cancel, isKnown, deadline = '0x0' } = signed;
  const end = writeEnd(BigInt(deadline), translate);
  return (
    <Box>
      <Text>{translate(`shape.${kind}`)}</Text>
      {isKnown ? null : <Text color="warning">{translate('signed.unknown')}</Text>}
      {drawRows(translate, [
        ['field.contract', { address: contract }],
        ['signed.token', token && { address: token }],
        ['signed.amount', writeSignedAmount(signed, translate)],
      ])}
      {others > 0 ? <Text>{translate('list.more', { count: others })}</Text> : null}
      {drawRows(translate, [
        ['changes.spender', spender && { address: spender, isWhole: true }],
        ['field.expiry', end ?? translate('typed.noDeadline')],
        ['field.origin', toShownLine(origin)],
        ['signed.signedAt', toShownTime(signedAt, translate)],
      ])}
      {cancel === undefined ? (
        <Text>{translate(kind === 'permit' ? 'signed.permit' : 'signed.noWay')}</Text>
      ) : (
        bindButton(translate)(
          `${PREFIX}invalidate:${account} ${hash}`,
          market === 'seaport' ? 'signed.cancelAll' : 'signed.cancel',
          SMALL,
        )
      )}
    </Box>
  );
}

// Amounts of unknown tokens are in their smallest unit.
function writeSignedAmount(
  { chain, token, amount }: UsableDocument,
  translate: Translate,
): string | undefined {
  if (amount === undefined) return undefined;
  const number = BigInt(amount);
  if (isUnlimited(number)) return translate('changes.unlimited');
  const unit = findTokenUnit(chain, token ?? null);
  return unit ? toShownToken(number, unit, translate) : `${number}`;
}
