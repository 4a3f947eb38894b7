// Requests that wait until their user approves or rejects them.
import {
  Address,
  Bold,
  Box,
  Button,
  Heading,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { Field } from '../components/Field';
import { toShownChain, toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import { Pager } from './pager';

/** A request that waits. */
export type ShownRequest = {
  id: string;
  method: string;
  origin: string;
  /** CAIP-2, where it names one. */
  chain: string | undefined;
  /** Undefined if the account was deleted. */
  account: Hex | undefined;
};

/** A page of requests. */
export type RequestsView = {
  translate: Translate;
  waiting: readonly ShownRequest[];
  /** Whether MetaMask's requests wait here at all. */
  isAsynchronous: boolean;
  page: number;
  pages: number;
};

const titles: Record<string, TextKey | undefined> = {
  personal_sign: 'message.title',
  eth_signTransaction: 'transaction.title',
  eth_signTypedData_v1: 'typedData.title',
  eth_signTypedData_v3: 'typedData.title',
  eth_signTypedData_v4: 'typedData.title',
  eth_signUserOperation: 'userOperation.title',
};

/** Draw the requests. */
export function RequestsTab(view: RequestsView): BoxElement {
  const { translate, waiting, isAsynchronous, page, pages } = view;
  return (
    <Box>
      <Heading>{translate('requests.title')}</Heading>
      {waiting.length === 0 ? <Text>{translate('requests.none')}</Text> : null}
      {waiting.map((request) => drawRequest(request, translate))}
      <Pager translate={translate} page={page} pages={pages} />
      {isAsynchronous ? null : (
        <Text color="muted">{translate('requests.synchronous')}</Text>
      )}
    </Box>
  );
}

function drawRequest(request: ShownRequest, translate: Translate): SectionElement {
  const { id, method, origin, chain, account } = request;
  const title = Object.hasOwn(titles, method) ? titles[method] : undefined;
  return (
    <Section>
      <Text>
        <Bold>{title ? translate(title) : toShownLine(method)}</Bold>
      </Text>
      <Field label={translate('field.origin')} value={toShownLine(origin)} />
      {account ? (
        <Row label={translate('field.account')}>
          <Address address={account} />
        </Row>
      ) : null}
      {chain === undefined ? null : (
        <Field
          label={translate('field.chain')}
          value={toShownChain(chain, translate)}
        />
      )}
      <Box direction="horizontal" alignment="space-between">
        <Button name={`home.requests.reject:${id}`} variant="destructive">
          {translate('requests.reject')}
        </Button>
        <Button name={`home.requests.approve:${id}`}>
          {translate('requests.approve')}
        </Button>
      </Box>
    </Section>
  );
}
