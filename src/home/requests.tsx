// The requests tab: requests from MetaMask that wait here because the user chose asynchronous
// approval. Approving one shows its method's confirmation first.
import { Bold, Box, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { findChainId, toCaip2 } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { approveRequest } from '../pipeline';
import { HOME_ORIGIN } from '../sites/consent';
import { bindButton, DESTRUCTIVE, drawRows } from '../ui/components';
import { toShownChain, toShownLine } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { inform, ListPage, toPage } from './tab';
import type { ListView, Tab } from './tab';

type ShownRequest = Record<'id' | 'method' | 'origin', string> & {
  /** CAIP-2, if the request names a chain. */
  chain: string | undefined;
  /** Undefined if the account is damaged. */
  account: Hex | undefined;
};

const titles: Record<string, TextKey | undefined> = {
  personal_sign: 'message.title',
  eth_signTransaction: 'transaction.title',
  eth_signTypedData_v1: 'typedData.title',
  eth_signTypedData_v3: 'typedData.title',
  eth_signTypedData_v4: 'typedData.title',
  eth_signUserOperation: 'userOperation.title',
};

export const requestsTab: Tab = {
  label: 'home.tab.requests',
  isLive: true,
  load: async ({ page }, { requests, repository, store }) => {
    const [all, records, { settings }] = await Promise.all([
      requests.list(),
      repository.list(),
      store.read(),
    ]);
    const { rows, ...where } = toPage(all, page);
    const addresses = new Map(records.map(({ id, address }) => [id, address]));
    const waiting = rows.map(({ id, account, origin, scope, request: { method } }) => {
      const chainId = findChainId(scope);
      return {
        id,
        origin,
        method,
        account: addresses.get(account),
        chain: chainId === undefined ? undefined : toCaip2(chainId),
      };
    });
    const isAsynchronous = settings.approvalMode === 'asynchronous';
    return ({ translate }) =>
      RequestsTab({ translate, waiting, isAsynchronous, ...where });
  },
  actions: {
    approve: async ({ argument: id = '', translate }, place, context) => {
      await approveRequest(id, { caller: HOME_ORIGIN, confirm: 'always' }, context);
      return inform(place, translate('requests.approved'));
    },
    reject: async ({ argument: id = '', translate }, place, { requests }) => {
      await requests.reject(id);
      return inform(place, translate('requests.rejected'));
    },
  },
};

export function RequestsTab(
  view: ListView & { waiting: readonly ShownRequest[]; isAsynchronous: boolean },
): BoxElement {
  const { translate, waiting, isAsynchronous } = view;
  const items = waiting.map((request) => drawRequest(request, translate));
  return (
    <ListPage {...view} name="requests" items={items}>
      {isAsynchronous ? null : (
        <Text color="muted">{translate('requests.synchronous')}</Text>
      )}
    </ListPage>
  );
}

function drawRequest(request: ShownRequest, translate: Translate): SectionElement {
  const { id, method, origin, chain, account } = request;
  const title = Object.hasOwn(titles, method) ? titles[method] : undefined;
  const button = bindButton(translate);
  return (
    <Section>
      <Text>
        <Bold>{title ? translate(title) : toShownLine(method)}</Bold>
      </Text>
      {drawRows(translate, [
        ['field.origin', toShownLine(origin)],
        ['field.account', account && { address: account }],
        ['field.chain', chain && toShownChain(chain)],
      ])}
      <Box direction="horizontal" alignment="space-between">
        {button(`home.requests.reject:${id}`, 'requests.reject', DESTRUCTIVE)}
        {button(`home.requests.approve:${id}`, 'requests.approve')}
      </Box>
    </Section>
  );
}
