// What wallet_showCallsStatus shows (EIP-5792): what became of calls that were sent.
import { Box, Heading, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../eth/hex';
import { Field } from '../ui/components';
import { toShownChain, toShownLine } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { stateKeys } from '../ui/words';
import type { SentState } from '../ui/words';

/** Hashes that are listed at most; the others are counted. */
const MAX_SHOWN = 50;

const statusWords = {
  100: 'callsStatus.pending',
  200: 'callsStatus.confirmed',
  400: 'callsStatus.notSent',
  500: 'callsStatus.reverted',
  600: 'callsStatus.partial',
} as const satisfies Record<number, TextKey>;

/** Status codes of EIP-5792. */
export type CallsStatusCode = keyof typeof statusWords;

/** Calls that were sent together. */
export type CallsStatus = {
  translate: Translate;
  /** The id that the dapp knows them by. */
  id: string;
  /** CAIP-2 chain. */
  chain: string;
  status: CallsStatusCode;
  /** Transactions, or the user operation that holds them all. */
  sent: readonly { hash: Hex; state: SentState }[];
};

/** Draw what became of calls, for a dialog that is only closed. */
export function CallsStatusView(view: CallsStatus): JSXElement {
  const { translate, id, chain, status, sent } = view;
  const more = sent.length - MAX_SHOWN;
  return (
    <Box>
      <Heading>{translate('callsStatus.title')}</Heading>
      <Section>
        <Field
          label={translate('field.status')}
          value={translate(statusWords[status])}
        />
        <Field
          label={translate('field.chain')}
          value={toShownChain(chain, translate)}
        />
        <Field label={translate('field.callsId')} value={toShownLine(id)} />
      </Section>
      {sent.slice(0, MAX_SHOWN).map(({ hash, state }) => (
        <Section>
          <Row label={translate(stateKeys[state])}>
            <Text>{hash}</Text>
          </Row>
        </Section>
      ))}
      {more > 0 ? (
        <Text>{translate('callsStatus.more', { count: String(more) })}</Text>
      ) : null}
    </Box>
  );
}
